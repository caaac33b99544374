import { createClient } from '@longhaul/protocol'
import type { Client, Message, NumberedEvent } from '@longhaul/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../packages/server/src/testing/start-app.ts'
import { describeWithPostgres } from './postgres/describe-with-postgres.ts'
import type { TestDatabase } from './postgres/describe-with-postgres.ts'
import { startSlowServer } from './server-processes/start-slow-server.ts'
import type { SlowServer } from './server-processes/start-slow-server.ts'

interface TwoServers {
  readonly servers: readonly [SlowServer, SlowServer]
  readonly clients: readonly [Client, Client]
  readonly sessionId: string
}

async function startTwo(database: TestDatabase, pieceMs: number): Promise<TwoServers> {
  const schema = database.createSchemaName()
  onTestFinished(() => database.dropSchema(schema))
  const start = async (): Promise<SlowServer> =>
    startSlowServer({ folder: await createFolder(), port: 0, store: database.url, schema, pieceMs })
  const servers = [await start(), await start()] as const
  const [first, second] = servers
  const clients = [createClient({ baseUrl: first.url }), createClient({ baseUrl: second.url })] as const
  const { id } = await clients[0].createSession({ title: 'Shared' })
  return { servers, clients, sessionId: id }
}

function follow(client: Client, sessionId: string): AsyncGenerator<NumberedEvent> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  return client.follow(sessionId, { after: '0', signal: leaving.signal })
}

async function readUntil(events: AsyncGenerator<NumberedEvent>, isLast: (event: NumberedEvent['event']) => boolean) {
  const seen: NumberedEvent[] = []
  for (;;) {
    const { value, done } = await events.next()
    if (done === true) return seen
    seen.push(value)
    if (isLast(value.event)) return seen
  }
}

const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

describeWithPostgres('two servers on one PostgreSQL', (database) => {
  it('a turn on one, its events on the other, in order', async () => {
    const { clients, sessionId } = await startTwo(database, 5)
    const [first, second] = clients
    const events = follow(second, sessionId)
    await first.sendMessage(sessionId, { text: 'one', id: 'm1' })
    const seen = await readUntil(events, ({ type }) => type === 'done')
    expect(seen.map(({ id }) => Number(id))).toEqual(seen.map((_, index) => index + 1))
    const types = seen.map(({ event }) => event.type)
    expect(types[0]).toBe('message-stored')
    expect(types.slice(-2)).toEqual(['response-complete', 'done'])
    const { items } = await second.listMessages(sessionId)
    expect(items.map(textOf)).toEqual(['one', 'You said: one. That is all.'])
  })

  it('one is killed in the middle of a turn: the session moves on, and nothing acknowledged is lost', async () => {
    const { servers, clients, sessionId } = await startTwo(database, 200)
    const [first, second] = clients
    const events = follow(second, sessionId)
    const acknowledged = [(await first.sendMessage(sessionId, { text: 'one', id: 'm1' })).id]
    await readUntil(events, ({ type }) => type === 'text-delta')
    acknowledged.push((await second.sendMessage(sessionId, { text: 'two', id: 'm2' })).id)
    acknowledged.push((await first.sendMessage(sessionId, { text: 'three', id: 'm3' })).id)
    await servers[0].end('SIGKILL')
    await readUntil(events, ({ type, turnId }) => type === 'done' && turnId === 'm3')
    const { items } = await second.listMessages(sessionId)
    expect(items.filter(({ role }) => role === 'user').map(({ id }) => id)).toEqual(acknowledged)
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
    expect(items.filter(({ role }) => role === 'assistant').map(textOf)).toEqual(
      ['one', 'two', 'three'].map((text) => `You said: ${text}. That is all.`),
    )
  })

  it('one is told to stop: it gives its sessions back, and the other goes on at once', async () => {
    const { servers, clients, sessionId } = await startTwo(database, 200)
    const [first, second] = clients
    const events = follow(second, sessionId)
    await first.sendMessage(sessionId, { text: 'one', id: 'm1' })
    await readUntil(events, ({ type }) => type === 'text-delta')
    expect(await servers[0].end('SIGTERM')).toBe(0)
    await readUntil(events, ({ type, turnId }) => type === 'done' && turnId === 'm1')
    expect((await second.listMessages(sessionId)).items.map(textOf)).toEqual(['one', 'You said: one. That is all.'])
  })
})
