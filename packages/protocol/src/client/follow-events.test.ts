import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { followEvents } from './follow-events.ts'
import type { Send } from './follow-events.ts'

const EVENTS = 12

/** Answers with what comes after the client's last event, and cuts each connection after so many. */
function createSend(cuts: readonly number[]): { readonly send: Send; readonly asked: (string | null)[] } {
  const asked: (string | null)[] = []
  const send: Send = async (_, init) => {
    const last = new Headers(init?.headers).get('last-event-id')
    const count = cuts[asked.length] ?? EVENTS
    asked.push(last)
    const lines = Array.from({ length: EVENTS }, (__, index) => index + 1)
      .filter((id) => id > Number(last ?? 0))
      .slice(0, count)
      .map((id) => `: still here\n\nid: ${id}\ndata: {"type":"text-delta","turnId":"t","text":"${id}"}\n\n`)
    return new Response(lines.join(''))
  }
  return { send, asked }
}

describe('followEvents', () => {
  it('gives every event once and in order, wherever connections are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: EVENTS }), { maxLength: 2 }), async (cuts) => {
        const { send, asked } = createSend(cuts)
        const stop = new AbortController()
        const ids: string[] = []
        for await (const { id } of followEvents(send, 's', { signal: stop.signal })) {
          ids.push(id)
          if (ids.length === EVENTS) stop.abort()
        }
        expect(ids).toEqual(Array.from({ length: EVENTS }, (_, index) => String(index + 1)))
        expect(asked[0]).toBeNull()
      }),
      { numRuns: 6 },
    )
  })

  it('tells when events arrive and when they do not', async () => {
    const { send } = createSend([1])
    const stop = new AbortController()
    const told: boolean[] = []
    const events = followEvents(send, 's', {
      signal: stop.signal,
      onConnection: (isConnected) => told.push(isConnected),
    })
    await events.next()
    await events.next()
    stop.abort()
    await events.next()
    expect(told.slice(0, 3)).toEqual([true, false, true])
  })

  it('tells where events begin, and when their numbers go back', async () => {
    const answers = [
      { start: '6', ids: [7, 8, 1] },
      { start: '0', ids: [1] },
    ]
    const send: Send = async () => {
      const { start, ids } = answers.shift() ?? { start: '1', ids: [2] }
      const lines = ids.map((id) => `id: ${id}\ndata: {"type":"done","turnId":"t"}\n\n`)
      return new Response(lines.join(''), { headers: { 'last-event-id': start } })
    }
    const stop = new AbortController()
    const told: string[] = []
    const onStart = (after: string): void => void told.push(`after ${after}`)
    for await (const { id } of followEvents(send, 's', { signal: stop.signal, onStart })) {
      told.push(id)
      if (id === '2') stop.abort()
    }
    expect(told).toEqual(['after 6', '7', '8', 'after 0', '1', 'after 0', '1', 'after 1', '2'])
  })

  it('gives up where asking again cannot help', async () => {
    const send: Send = async () => {
      throw await ApiError.fromResponse(
        Response.json(
          { error: { code: 'not-found', message: 'There is no session s.', retryable: false } },
          { status: 404 },
        ),
      )
    }
    const events = followEvents(send, 's', { signal: new AbortController().signal })
    await expect(events.next()).rejects.toMatchObject({ code: 'not-found', message: 'There is no session s.' })
  })
})
