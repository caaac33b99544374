import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeWithPrivateServer } from '../../../../test/postgres/describe-with-postgres.ts'
import type { Change, Store } from '../port/store.ts'
import { foldHead } from '../records/describe-session.ts'
import { StoreError } from '../store-error.ts'
import { assistant, user } from '../testing/build-entries.ts'
import { dumpText } from '../testing/expectations.ts'
import { createSession, startSession, takeSession } from '../testing/session-writer.ts'
import { createPostgresStore } from './create-postgres-store.ts'

/** On a machine that has much to do, too. */
const SOON = { timeout: 20_000 }

let schemas = 0

function createSchemaName(): string {
  schemas += 1
  return `outage_${schemas}`
}

async function openStore(url: string, schema = createSchemaName()): Promise<Store> {
  const store = await createPostgresStore({ url, schema, poolSize: 4 })
  onTestFinished(() => store.close())
  return store
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Settings for all statements of a connection, as an administrator would set them for a user. */
function withSettings(url: string, ...settings: readonly string[]): string {
  return `${url}?options=${encodeURIComponent(settings.map((setting) => `-c ${setting}`).join(' '))}`
}

/** Ends whoever waits for a lock, once somebody does. */
async function killWaiting(admin: Client): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`,
      )
      return rowCount
    }, SOON)
    .toBe(1)
}

async function failureOf(call: Promise<unknown>): Promise<StoreError> {
  const error = await call.then(
    () => expect.fail('This should have been refused.'),
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(StoreError)
  return error as StoreError
}

describeWithPrivateServer('a PostgreSQL server that is not always there', (getServer) => {
  describe('a connection that is lost', () => {
    it('in the middle of an append stores nothing, says that this cannot be told, and the next one works', async () => {
      const { url } = getServer()
      const schema = createSchemaName()
      const store = await openStore(url, schema)
      const writer = await startSession(store, 's1', user('one'))
      const before = await dumpText(store)
      const admin = await connect(url)
      await admin.query(`begin; lock table ${schema}.entries in exclusive mode`)
      const append = failureOf(store.entries.append(writer.plan(user('two'))))
      await killWaiting(await connect(url))
      const error = await append
      expect(error.code).toBe('unavailable')
      expect(error.message).toMatch(/cannot be told whether this was stored: read the session again/)
      await admin.query('rollback')
      expect(await dumpText(store)).toEqual(before)
      await writer.write([user('two')])
      expect((await store.entries.read('s1', {})).map(({ seq }) => seq)).toEqual([1, 2])
    })

    it('in the middle of a longer transaction takes back what came before', async () => {
      const { url } = getServer()
      const schema = createSchemaName()
      const store = await openStore(url, schema)
      const admin = await connect(url)
      await admin.query(`begin; lock table ${schema}.artifacts in exclusive mode`)
      const session = { id: 's1', createdAt: 1, artifacts: [{ id: 'a', content: 'the last to be written' }] }
      const create = failureOf(store.sessions.create(session))
      await killWaiting(await connect(url))
      const error = await create
      expect(error.code).toBe('unavailable')
      expect(error.message).not.toMatch(/cannot be told/)
      await admin.query('rollback')
      expect(await dumpText(store)).toEqual([])
      await store.sessions.create(session)
    })

    it('while nobody uses it is not noticed by readers', async () => {
      const { url } = getServer()
      const store = await openStore(url)
      await createSession(store, 's1', user('one'))
      const admin = await connect(url)
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longhaul'`)
      expect((await store.entries.read('s1', {})).length).toBe(1)
    })
  })

  describe('a server that is stopped', () => {
    it('refuses in a word, and everything works again once it is back', async () => {
      const server = getServer()
      const store = await openStore(server.url)
      const writer = await startSession(store, 's1', user('one'))
      const heard: Change[] = []
      onTestFinished(store.watch((change) => heard.push(change)))
      await expect.poll(() => heard.length, SOON).toBeGreaterThan(0)
      await server.stop()
      for (const call of [
        () => store.entries.append(writer.plan(user('two'))),
        () => store.sessions.get('s1'),
        () => store.leases.renew([writer.lease]),
        () => store.search.search({ query: 'one' }),
        () => createPostgresStore({ url: server.url }),
      ]) {
        const error = await failureOf(call())
        expect(error.code).toBe('unavailable')
        expect(error.message).toMatch(/cannot be reached|was lost|shutting down/)
      }
      heard.length = 0
      await server.start()
      await writer.write([user('two')])
      expect((await store.entries.read('s1', {})).length).toBe(2)
      expect(await store.search.search({ query: 'two' })).toHaveLength(1)
      await expect.poll(() => heard, SOON).toContainEqual({ sessionId: null, what: 'any' })
    })

    it('can be closed', async () => {
      const server = getServer()
      const store = await openStore(server.url)
      store.watch(() => {})
      await server.stop()
      await store.close()
      await server.start()
      await expect(store.sessions.get('s1')).rejects.toMatchObject({ code: 'closed' })
    })
  })

  it('ONE-03 a server that crashes has every entry that was acknowledged, and no gap', async () => {
    const server = getServer()
    const schema = createSchemaName()
    const store = await openStore(server.url, schema)
    for (let crash = 0; crash < 4; crash += 1) {
      const ids = Array.from({ length: 6 }, (_, index) => `s${crash}-${index}`)
      const writers = await Promise.all(ids.map((id) => startSession(store, id, user('one'))))
      const acknowledged = ids.map(() => 1)
      const writing = writers.map(async (writer, index) => {
        try {
          for (;;) {
            await writer.write([user('more'), assistant('and more')])
            acknowledged[index] = writer.getHead().lastSeq
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'unavailable' })
        }
      })
      await expect.poll(() => Math.min(...acknowledged), SOON).toBeGreaterThan(6)
      await server.crash()
      await Promise.all(writing)
      await server.start()
      for (const [index, id] of ids.entries()) {
        const entries = await store.entries.read(id, {})
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, place) => place + 1))
        expect(entries.length).toBeGreaterThanOrEqual(acknowledged[index] ?? 0)
        // Two at a time, so that half an append would show.
        expect(entries.length % 2).toBe(1)
        expect((await store.sessions.get(id))?.head).toEqual(foldHead(entries))
        const goesOn = await takeSession(store, id)
        await goesOn.write([user('and on')])
      }
    }
    expect(await store.check()).toEqual([])
  })

  describe('limits that an administrator has set', () => {
    it('a read-only server takes nothing, and can be read', async () => {
      const { url } = getServer()
      const schema = createSchemaName()
      const store = await openStore(url, schema)
      await createSession(store, 's1', user('a walrus'))
      const reader = await openStore(withSettings(url, 'default_transaction_read_only=on'), schema)
      expect((await reader.entries.read('s1', {})).length).toBe(1)
      const error = await failureOf(reader.sessions.setDeleted('s1', 1))
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/read-only.*primary/) as string,
      })
      expect(await reader.search.search({ query: 'walrus' })).toEqual([])
      expect(await store.search.search({ query: 'walrus' })).toHaveLength(1)
      expect(await reader.search.search({ query: 'walrus' })).toHaveLength(1)
    })

    it('a statement that takes too long stores nothing', async () => {
      const { url } = getServer()
      const schema = createSchemaName()
      const store = await openStore(url, schema)
      await createSession(store, 's1', user('one'))
      const hurried = await openStore(withSettings(url, 'statement_timeout=300'), schema)
      const admin = await connect(url)
      await admin.query(`begin; lock table ${schema}.inbox in exclusive mode`)
      const item = { sessionId: 's1', id: 'i1', at: 1, kind: 'cancel', payload: {} } as const
      const error = await failureOf(hurried.inbox.put(item))
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/statement_timeout/) as string,
      })
      await admin.query('rollback')
      expect((await hurried.inbox.put(item)).status).toBe('new')
    })

    it('a server that does not answer is given up', async () => {
      const { url } = getServer()
      const schema = createSchemaName()
      const patient = await openStore(url, schema)
      await createSession(patient, 's1', user('one'))
      const store = await createPostgresStore({ connection: { connectionString: url, query_timeout: 300 }, schema })
      onTestFinished(() => store.close())
      const admin = await connect(url)
      await admin.query(`begin; lock table ${schema}.inbox in exclusive mode`)
      const item = { sessionId: 's1', id: 'i1', at: 1, kind: 'cancel', payload: {} } as const
      const error = await failureOf(store.inbox.put(item))
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/cannot be told/) as string })
      await admin.query('rollback')
      await store.inbox.put(item)
      expect(await store.inbox.list('s1')).toHaveLength(1)
    })

    it('no more connections than a user may have', async () => {
      const { url } = getServer()
      const admin = await connect(url)
      const schema = createSchemaName()
      await admin.query(
        `create role ${schema} login connection limit 1; create schema ${schema} authorization ${schema}`,
      )
      const limited = url.replace('postgres://postgres@', `postgres://${schema}@`)
      const store = await openStore(limited, schema)
      await store.sessions.list({})
      const error = await failureOf(createPostgresStore({ url: limited, schema }))
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/no more connections/) as string,
      })
      await store.sessions.create({ id: 's1', createdAt: 1 })
    })

    it('serializable transactions are repeated until they get through', async () => {
      const { url } = getServer()
      const strict = withSettings(url, 'default_transaction_isolation=serializable')
      const schema = createSchemaName()
      const stores = [await openStore(strict, schema), await openStore(strict, schema), await openStore(strict, schema)]
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          stores.map((store) => store.memory.append({ name: 'notes', updatedAt: 1, text: `round ${round}\n` }, [])),
        )
      }
      expect((await stores[0]?.memory.get('notes'))?.text.split('\n').length).toBe(16)
    })
  })

  it('a user, a database or a password that the server does not know is told', async () => {
    const { url } = getServer()
    const nobody = await failureOf(createPostgresStore({ url: url.replace('postgres@', 'nobody:hunter2@') }))
    expect(nobody).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/user or the password/) as string,
    })
    expect(nobody.message).not.toContain('hunter2')
    const nowhere = await failureOf(createPostgresStore({ url: url.replace(/postgres$/, 'nowhere') }))
    expect(nowhere).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/does not exist/) as string })
  })
})
