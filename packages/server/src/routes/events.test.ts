import { readEvents } from '@longhaul/protocol'
import type { NumberedEvent } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { createFolder, startApp } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

function open(app: AppUnderTest, id: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return app.request('GET', `/api/sessions/${id}/events`, undefined, headers)
}

async function readUntil(response: Response, type: string): Promise<readonly NumberedEvent[]> {
  const seen: NumberedEvent[] = []
  for await (const numbered of readEvents(response)) {
    seen.push(numbered)
    if (numbered.event.type === type) break
  }
  return seen
}

describe('GET /api/sessions/:id/events', () => {
  it('tells what happens from now on', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    await app.say(id, 'Before', 'm1')
    const response = await open(app, id)
    void app.say(id, 'After', 'm2')
    const seen = await readUntil(response, 'done')
    expect(new Set(seen.map(({ event }) => event.turnId))).toEqual(new Set(['m2']))
    expect(seen[0]?.event).toMatchObject({ type: 'message-stored', id: 'm2' })
  })

  it('goes on after Last-Event-ID: none is lost, none comes twice', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    await app.say(id, 'One', 'm1')
    const all = await readUntil(await open(app, id, { 'last-event-id': '0' }), 'done')
    for (const [index, { id: last }] of all.entries()) {
      if (index === all.length - 1) break
      const rest = await readUntil(await open(app, id, { 'last-event-id': last }), 'done')
      expect(rest).toEqual(all.slice(index + 1))
    }
  })

  it('says where it starts, so that a connection lost before the first event leaves no gap', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    await app.say(id, 'One')
    const response = await open(app, id)
    const last = response.headers.get('last-event-id') ?? ''
    await response.body?.cancel()
    await app.say(id, 'Two', 'm2')
    const seen = await readUntil(await open(app, id, { 'last-event-id': last }), 'done')
    expect(seen[0]?.event).toMatchObject({ type: 'message-stored', id: 'm2' })
  })

  it('begins with the turn of a message when asked to', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    await app.say(id, 'One', 'm1')
    await app.say(id, 'Two', 'm2')
    const response = await app.request('GET', `/api/sessions/${id}/events?since=m2`)
    const seen = await readUntil(response, 'done')
    expect(seen.map(({ event }) => event.turnId)).not.toContain('m1')
    expect(seen.map(({ event }) => event.type)).toContain('response-complete')
  })

  it('opening it goes on with what was left unanswered', async () => {
    const folder = await createFolder()
    const dying = await startApp({ folder, script: () => new Promise(() => undefined) })
    const { id } = await dying.createSession({ title: 'Named' })
    await dying.request(
      'POST',
      `/api/sessions/${id}/messages`,
      { text: 'Hello', id: 'm1' },
      { accept: 'application/json' },
    )
    while ((await dying.runtime.store.inbox.list(id)).length > 0) await new Promise((resolve) => setImmediate(resolve))
    await dying.runtime.close()
    const app = await startApp({ folder, script: () => 'Here at last.' })
    const seen = await readUntil(await open(app, id), 'done')
    expect(seen.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ turnId: 'm1', type: 'response-complete', text: 'Here at last.' }),
    )
  })

  it('an imported conversation that ends with a question owes nothing until somebody writes', async () => {
    let calls = 0
    const app = await startApp({ script: () => `Answer ${(calls += 1)}.` })
    await app.requestRaw('/api/sessions/import', {
      method: 'POST',
      body: JSON.stringify({ id: 'old', messages: [{ role: 'user', content: 'Delete everything?' }] }),
    })
    const response = await open(app, 'old')
    expect(await app.runtime.store.leases.getOwner('old')).toBeNull()
    expect((await app.request('POST', '/api/sessions/old/cancel')).status).toBe(409)
    expect((await app.request('GET', '/api/chat/old/stream')).status).toBe(204)
    expect(calls).toBe(0)
    await response.body?.cancel()
  })

  it('begins now where `since` names no message that is known', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    await app.say(id, 'One', 'm1')
    const response = await app.request('GET', `/api/sessions/${id}/events?since=nobody`)
    void app.say(id, 'Two', 'm2')
    const seen = await readUntil(response, 'done')
    expect(new Set(seen.map(({ event }) => event.turnId))).toEqual(new Set(['m2']))
  })

  it('ends when the server stops', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    const response = await open(app, id)
    const reading = readUntil(response, 'done')
    app.stop()
    expect(await reading).toEqual([])
  })

  it('refuses what is no event, and a session that is not there', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    expect((await open(app, id, { 'last-event-id': 'x' })).status).toBe(400)
    expect((await open(app, 'none')).status).toBe(404)
  })
})
