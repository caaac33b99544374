import { setImmediate as nextTurn } from 'node:timers/promises'
import { importedSchema } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

const CHAT = JSON.stringify([
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
])

async function send(app: AppUnderTest, text: string, query = '', headers: Record<string, string> = {}) {
  return app.requestRaw(`/api/sessions/import${query}`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  })
}

async function countSessions(app: AppUnderTest): Promise<number> {
  return (await app.runtime.store.sessions.list({})).items.length
}

describe('export and import', () => {
  it('OPEN-01 a session goes out and comes in again, entry for entry', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Beds', preset: 'openclaw' })
    await app.say(id, 'Hello ☂', 'm1')
    await app.runtime.agent.request(id, 'pin', { text: 'The gate is green.' })
    const exported = await app.request('GET', `/api/sessions/${id}/export`)
    expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="${id}.jsonl"`)
    const text = await exported.text()
    const other = await startApp()
    const response = await send(other, text)
    expect(response.status).toBe(201)
    const { session, others, problems } = importedSchema.parse(await response.json())
    expect({ id: session.id, title: session.title, preset: session.preset }).toEqual({
      id,
      title: 'Beds',
      preset: 'openclaw',
    })
    expect([others, problems]).toEqual([[], []])
    expect(await (await other.request('GET', `/api/sessions/${id}/export`)).text()).toBe(text)
  })

  it.each(['', '?newId=true', '?newId=false'])(
    'an import is never a dead end: a transcript whose id is taken becomes a copy under a new id, and the answer says so: %j',
    async (query) => {
      const app = await startApp()
      const { id } = await app.createSession({ title: 'Beds' })
      const text = await (await app.request('GET', `/api/sessions/${id}/export`)).text()
      const response = await send(app, text, query)
      expect(response.status).toBe(201)
      const { session, copies } = importedSchema.parse(await response.json())
      expect(session).toMatchObject({ title: 'Beds' })
      expect(session.id).not.toBe(id)
      expect(copies).toStrictEqual([{ id: session.id, of: id }])
      expect(await countSessions(app)).toBe(2)
      const copy = await (await app.request('GET', `/api/sessions/${session.id}/export`)).text()
      expect(copy.replaceAll(session.id, id)).toBe(text)
    },
  )

  it('an import of a session that is hidden is a copy too, and one whose id is free is none', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Beds' })
    const text = await (await app.request('GET', `/api/sessions/${id}/export`)).text()
    await app.request('DELETE', `/api/sessions/${id}`)
    const copy = importedSchema.parse(await (await send(app, text)).json())
    expect(copy.copies).toMatchObject([{ of: id }])
    await app.request('DELETE', `/api/sessions/${id}?purge=true`)
    const back = importedSchema.parse(await (await send(app, text)).json())
    expect([back.session.id, back.copies]).toStrictEqual([id, []])
  })

  it('an import under a key of what is there already is one copy, and the same answer again', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Beds' })
    const text = await (await app.request('GET', `/api/sessions/${id}/export`)).text()
    const key = { 'idempotency-key': 'import-1' }
    const first = importedSchema.parse(await (await send(app, text, '', key)).json())
    expect(first.copies).toStrictEqual([{ id: first.session.id, of: id }])
    expect(importedSchema.parse(await (await send(app, text, '', key)).json())).toEqual(first)
    expect(await countSessions(app)).toBe(2)
  })

  it('a long text held up everybody else: others are answered meanwhile, and how full it is waits until it is asked for', async () => {
    const app = await startApp()
    const lines = Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ role: 'user', content: `Line ${n}` }))
    let answered = 0
    const progress = { isOver: false }
    const importing = send(app, lines.join('\n')).finally(() => (progress.isOver = true))
    while (!progress.isOver) {
      expect((await app.request('GET', '/api/sessions')).status).toBe(200)
      answered += 1
      await nextTurn()
    }
    const { session } = importedSchema.parse(await (await importing).json())
    expect(session).toMatchObject({ messageCount: 20_000, tokens: { context: null, source: 'unknown' } })
    expect(answered).toBeGreaterThan(20)
  })

  it('names the lines that could not be read, and stores the rest', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Beds' })
    const [first, ...rest] = (await (await app.request('GET', `/api/sessions/${id}/export`)).text()).split('\n')
    const broken = [first, '{"type":"message","seq":', ...rest].join('\n')
    const { session, problems } = importedSchema.parse(await (await send(app, broken, '?newId=true')).json())
    expect(problems).toEqual([{ line: 2, reason: 'not JSON' }])
    expect(session.title).toBe('Beds')
  })

  it.each(['Dear diary', '', '{}', '[]', '[1,2]', '{"messages":[1,2]}', '\u0000'])(
    'what is no transcript is refused and nothing is stored: %j',
    async (text) => {
      const app = await startApp()
      const response = await send(app, text)
      expect(response.status).toBe(400)
      expect(await countSessions(app)).toBe(0)
    },
  )

  it('the same key again is the same import', async () => {
    const app = await startApp()
    const key = { 'idempotency-key': 'import-1' }
    const first = importedSchema.parse(await (await send(app, CHAT, '', key)).json())
    const again = importedSchema.parse(await (await send(app, CHAT, '', key)).json())
    expect(again.session.id).toBe(first.session.id)
    expect(await countSessions(app)).toBe(1)
    importedSchema.parse(await (await send(app, CHAT, '', { 'idempotency-key': 'import-2' })).json())
    expect(await countSessions(app)).toBe(2)
  })

  it('the same key with another text is refused', async () => {
    const app = await startApp()
    const key = { 'idempotency-key': 'import-1' }
    await send(app, CHAT, '', key)
    const response = await send(app, JSON.stringify([{ role: 'user', content: 'Another' }]), '', key)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: { code: 'id-conflict' } })
    expect(await countSessions(app)).toBe(1)
  })

  it('sent again under its key, an import that was cut short is completed', async () => {
    const app = await startApp()
    const text = ['One', 'Two', 'Three']
      .map((content) => JSON.stringify({ messages: [{ role: 'user', content }] }))
      .join('\n')
    const key = { 'idempotency-key': 'import-1' }
    const ids = async (): Promise<readonly string[]> => {
      const { session, others } = importedSchema.parse(await (await send(app, text, '', key)).json())
      return [session, ...others].map(({ id }) => id)
    }
    const first = await ids()
    expect(first).toHaveLength(3)
    await app.runtime.store.sessions.purge(first[1] ?? '')
    expect(await ids()).toEqual(first)
    expect(await countSessions(app)).toBe(3)
  })
})
