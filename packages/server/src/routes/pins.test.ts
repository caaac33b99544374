import type { List, Pin } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { collectEvents, startApp } from '../testing/start-app.ts'

describe('pins', () => {
  it('are added, listed and taken away', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const list = async (): Promise<List<Pin>> =>
      (await (await app.request('GET', `/api/sessions/${id}/pins`)).json()) as List<Pin>
    const added = await app.request('POST', `/api/sessions/${id}/pins`, { text: 'Metric units' })
    expect(added.status).toBe(201)
    const pin = (await added.json()) as Pin
    expect(pin.text).toBe('Metric units')
    expect(await list()).toEqual({ items: [pin], next: null })
    expect((await app.request('DELETE', `/api/sessions/${id}/pins/${pin.id}`)).status).toBe(204)
    expect(await list()).toEqual({ items: [], next: null })
    expect((await app.request('DELETE', `/api/sessions/${id}/pins/${pin.id}`)).status).toBe(404)
  })

  it('what their budget cannot hold is refused with the reason', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const response = await app.request('POST', `/api/sessions/${id}/pins`, { text: 'long '.repeat(8_000) })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: { code: 'pin-too-large' } })
    expect((await app.request('POST', `/api/sessions/${id}/pins`, { text: ' ' })).status).toBe(400)
  })

  it('during a turn: 202 instead of a wait, and the same key again is the same pin', async () => {
    const answer = Promise.withResolvers<string>()
    const app = await startApp({ script: () => answer.promise })
    const { id } = await app.createSession({ title: 'Named' })
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Hello' })
    const pin = (signal?: AbortSignal): Promise<Response> =>
      app.requestRaw(`/api/sessions/${id}/pins`, {
        method: 'POST',
        body: JSON.stringify({ text: 'Metric units' }),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'pin-1' },
        ...(signal === undefined ? {} : { signal }),
      })
    const stored = await Promise.all([pin(AbortSignal.timeout(50)), pin(AbortSignal.timeout(50))])
    expect(stored.map(({ status }) => status)).toEqual([202, 202])
    const [first, second] = await Promise.all(stored.map((response) => response.json() as Promise<{ id: string }>))
    expect(second).toEqual(first)
    answer.resolve('Done.')
    await collectEvents(turn)
    expect(await (await pin()).json()).toEqual({ id: first?.id, text: 'Metric units' })
    expect((await app.runtime.store.sessions.get(id))?.head.pins).toHaveLength(1)
  })
})
