import { createClient } from '@longhaul/protocol'
import { startServer } from '@longhaul/server'
import { verifyStore } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRuntime } from '../packages/server/src/testing/start-app.ts'
import type { RuntimeWishes } from '../packages/server/src/testing/start-app.ts'
import { describeWithPostgres } from './postgres/describe-with-postgres.ts'
import { arbitraryRequest } from './server-hostile/arbitrary-request.ts'
import { sendRaw } from './server-hostile/send-raw.ts'

describe('a server on SQLite', () => {
  describeHostility(() => ({}))
})

describeWithPostgres('a server on PostgreSQL', (database) => {
  describeHostility(() => {
    const schema = database.createSchemaName()
    onTestFinished(() => database.dropSchema(schema))
    return {
      environment: { LONGHAUL_STORE: database.url },
      source: JSON.stringify({ postgres: { schema, poolSize: 4 } }),
    }
  })
})

function describeHostility(wish: () => RuntimeWishes): void {
  it('answers 1,000 hostile requests by 4xx, never 5xx, and nothing changes', async () => {
    const runtime = await openRuntime(wish())
    const port = await listen(runtime)
    const { id } = await runtime.agent.createSession({ title: 'Untouched' })
    const before = await readAll(runtime.store)
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(id), async (request) => {
        const status = await sendRaw(port, request)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 1_000 },
    )
    expect(await readAll(runtime.store)).toEqual(before)
    expect((await verifyStore(runtime.store)).problems).toEqual([])
    expect(await sendRaw(port, { method: 'GET', path: '/api/ready', headers: {} })).toBe(200)
  })

  it.each(['\u0000', 'half \ud83d', '\u202e\u0000\uffff', '🧹'.repeat(1_000), '../..', "'; drop table sessions; --"])(
    'takes what is odd but good: %j',
    async (text) => {
      const runtime = await openRuntime(wish())
      const client = createClient({ baseUrl: `http://127.0.0.1:${await listen(runtime)}` })
      const { id } = await client.createSession({ title: text.slice(0, 400) })
      expect((await client.listSessions({ query: text })).items.length).toBeLessThanOrEqual(1)
      await client.addPin(id, text.slice(0, 200))
      await client.sendMessage(id, { text, id: 'm1' })
      const leaving = new AbortController()
      for await (const { event } of client.follow(id, { after: '0', signal: leaving.signal }))
        if (event.type === 'done') break
      leaving.abort()
      expect((await client.listMessages(id)).items.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect((await client.recall(id, text)).next).toBeNull()
    },
  )
}

describe('bytes that are no request at all', () => {
  it.each([
    '\u0000\u0001\u0002\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
  ])('are refused: %#', async (bytes) => {
    const port = await listen(await openRuntime())
    const [method = '', ...rest] = bytes.split(' ')
    const status = await sendRaw(port, { method, path: rest.join(' '), headers: {} })
    expect([null, 400, 403, 404, 431, 505]).toContain(status)
    expect(await sendRaw(port, { method: 'GET', path: '/api/health', headers: {} })).toBe(200)
  })
})

async function listen(runtime: Awaited<ReturnType<typeof openRuntime>>): Promise<number> {
  const server = await startServer({ runtime, port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  return Number(new URL(server.url).port)
}

/** Everything a request could have changed. */
async function readAll(store: Store): Promise<unknown> {
  const records = [...(await store.sessions.list({})).items, ...(await store.sessions.list({ deleted: true })).items]
  const sessions = records.map(async (record) => ({
    record,
    entries: await store.entries.read(record.id, {}),
    inbox: await store.inbox.list(record.id),
    lastEvent: await store.events.getLastId(record.id),
  }))
  return { sessions: await Promise.all(sessions), memory: await store.memory.list() }
}
