import { DatabaseSync } from 'node:sqlite'
import { createClient, readEvents } from '@longhaul/protocol'
import type { Message, SessionEvent } from '@longhaul/protocol'
import { startServer } from '@longhaul/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRuntime } from '../../packages/server/src/testing/start-app.ts'
import { SMALL_DISKS } from './full-disk/start-small-server.ts'
import type { SmallServer } from './full-disk/start-small-server.ts'

/** Generous: on an idle machine it takes 2 to 5 s. */
const SECONDS_MS = 30_000

it.for(SMALL_DISKS)(
  '18.14 $name: the turn ends with store-unavailable, ready says so, and it is answered once there is room',
  async (disk, { skip }) => {
    skip(!disk.isPossible(), `nobody can have ${disk.name} here`)
    const server = await disk.start()
    await runOutOfRoom(server)
    expect(server.hasEnded()).toBe(false)
  },
)

async function runOutOfRoom(server: SmallServer): Promise<void> {
  const client = createClient({ baseUrl: server.url })
  const { id } = await client.createSession({ title: 'Named' })
  const watched = watch(server.url, id)
  const { turn, events, endedAfterMs } = await fillUp(server, id)

  expect(events.slice(-2)).toMatchObject([
    { turnId: turn, type: 'error', code: 'store-unavailable' },
    { turnId: turn, type: 'done' },
  ])
  expect(endedAfterMs).toBeLessThan(SECONDS_MS)
  // Whoever only watches the session, as the web page does, is told as well.
  await expect.poll(() => watched.some(isUnavailable), { timeout: SECONDS_MS }).toBe(true)
  const refused = await fetch(`${server.url}/api/ready`)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({
    error: { code: 'store-unavailable', message: expect.stringMatching(/disk .* is full|store cannot be used/) },
  })
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200)

  server.makeRoom()
  await expect.poll(async () => (await fetch(`${server.url}/api/ready`)).status, { timeout: SECONDS_MS }).toBe(200)
  await expect.poll(async () => answersTo(await listAll(client, id), turn), { timeout: SECONDS_MS }).toBe(1)
  const next = await say(server.url, id, 'after')
  expect(next.events.at(-2)?.type).not.toBe('error')
  const messages = await listAll(client, id)
  const asked = messages.filter(({ role }) => role === 'user').map((message) => message.id)
  expect(asked).toEqual([...asked.slice(0, -1), 'after'])
  for (const each of asked) expect([each, answersTo(messages, each)]).toEqual([each, 1])
  expect(watched.filter(({ type, turnId }) => type === 'response-complete' && turnId === turn)).toHaveLength(1)
}

describe('a database that another process keeps locked', () => {
  it('18.14 ends the turn with store-unavailable, and the message is answered once the lock is gone', async () => {
    let other: DatabaseSync | null = null
    let asked = 0
    const runtime = await openRuntime({
      script: () => {
        asked += 1
        if (asked === 1) {
          other = new DatabaseSync(runtime.config.places.store.value.replace(/^sqlite:/, ''))
          other.exec('BEGIN IMMEDIATE')
        }
        return 'Fine.'
      },
    })
    const server = await startServer({ runtime, port: 0, graceMs: 0 })
    onTestFinished(() => server.close())
    const { id } = await runtime.agent.createSession({ title: 'Named' })
    const { events } = await say(server.url, id, 'm1')
    expect(events.slice(-2)).toMatchObject([{ type: 'error', code: 'store-unavailable' }, { type: 'done' }])
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(503)
    const askedSoFar = asked
    ;(other as DatabaseSync | null)?.exec('ROLLBACK')
    ;(other as DatabaseSync | null)?.close()
    const client = createClient({ baseUrl: server.url })
    await expect.poll(async () => answersTo(await listAll(client, id), 'm1'), { timeout: SECONDS_MS }).toBe(1)
    // The model is not asked again and again for an answer that cannot be kept.
    expect(asked).toBeLessThanOrEqual(askedSoFar + 1)
    await expect.poll(async () => (await fetch(`${server.url}/api/ready`)).status, { timeout: SECONDS_MS }).toBe(200)
  })
})

interface Said {
  /** Empty: the message was not taken. */
  readonly events: readonly SessionEvent[]
  readonly endedAfterMs: number
}

async function say(url: string, sessionId: string, id: string): Promise<Said> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: `Message ${id}.`, id }),
    signal: AbortSignal.timeout(2 * SECONDS_MS),
  })
  const events: SessionEvent[] = []
  if (response.ok) for await (const { event } of readEvents(response)) events.push(event)
  return { events, endedAfterMs: performance.now() - startedAt }
}

/** Talks until a turn that was taken has no room for its answer. */
async function fillUp(server: SmallServer, sessionId: string): Promise<Said & { readonly turn: string }> {
  for (let number = 1; number < 100; number += 1) {
    const turn = `m${number}`
    let said = await say(server.url, sessionId, turn)
    if (said.events.length === 0) {
      server.makeSomeRoom()
      said = await say(server.url, sessionId, turn)
    }
    if (said.events.some(isUnavailable)) return { turn, ...said }
    expect(said.events.map(({ type }) => type)).toContain('response-complete')
  }
  throw new Error('There was room for everything.')
}

function isUnavailable(event: SessionEvent): boolean {
  return event.type === 'error' && event.code === 'store-unavailable'
}

/** Everything that a page would hear of the session, as it comes. */
function watch(url: string, sessionId: string): readonly SessionEvent[] {
  const heard: SessionEvent[] = []
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const client = createClient({ baseUrl: url })
  void (async () => {
    for await (const { event } of client.follow(sessionId, { after: '0', signal: leaving.signal })) heard.push(event)
  })().catch(() => undefined)
  return heard
}

async function listAll(client: ReturnType<typeof createClient>, id: string): Promise<readonly Message[]> {
  return (await client.listMessages(id, { limit: 200 })).items
}

function answersTo(messages: readonly Message[], userId: string): number {
  const from = messages.findIndex(({ id }) => id === userId)
  if (from === -1) return 0
  const rest = messages.slice(from + 1)
  const end = rest.findIndex(({ role }) => role === 'user')
  return rest.slice(0, end === -1 ? undefined : end).filter(({ role }) => role === 'assistant').length
}
