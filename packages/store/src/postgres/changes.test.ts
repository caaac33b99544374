import { expect, it, onTestFinished } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import type { Change, Store } from '../port/store.ts'
import { user } from '../testing/build-entries.ts'
import { createSession, startSession } from '../testing/session-writer.ts'

/** On a machine that has much to do, too. */
const SOON = { timeout: 20_000 }

/** Everything a store hears of, from now on. */
function listen(store: Store): Change[] {
  const heard: Change[] = []
  onTestFinished(store.watch((change) => heard.push(change)))
  return heard
}

/** Reads whatever is new at each change, as a server does for its clients. */
function follow(store: Store, sessionId: string): number[] {
  const seen: number[] = []
  let reading = Promise.resolve()
  const read = async (): Promise<void> => {
    for (const { id } of await store.events.read(sessionId, seen.at(-1) ?? 0, 1_000).catch(() => [])) seen.push(id)
  }
  onTestFinished(
    store.watch(() => {
      reading = reading.then(read)
    }),
  )
  return seen
}

const ANY: Change = { sessionId: null, what: 'any' }

describeWithPostgres('changes in PostgreSQL', (database) => {
  const findListeners = (schema: string) =>
    database.query(
      `select distinct a.pid from pg_stat_activity a
      where a.application_name = 'longhaul listener' and a.query like '%longhaul_' || $1 || '%'`,
      [schema],
    )

  it('reach another server by notices that name the session and what it was', async () => {
    const { store, openAgain } = await openTestStore(database)
    const other = await openAgain()
    const heard = listen(other)
    await expect.poll(() => heard, SOON).toContainEqual(ANY)
    const writer = await startSession(store, 'a session', user('hi'))
    await store.inbox.put({ sessionId: 'a session', id: 'i1', at: 1, kind: 'cancel', payload: {} })
    await writer.write([user('more')])
    await store.events.add('a session', 1, [{ type: 'delta' }])
    for (const what of ['entries', 'inbox', 'events'] as const) {
      await expect.poll(() => heard, SOON).toContainEqual({ sessionId: 'a session', what })
    }
  })

  it('of its own are told at once, and only once by name', async () => {
    const { store } = await openTestStore(database)
    const heard = listen(store)
    await expect.poll(() => heard, SOON).toContainEqual(ANY)
    await createSession(store, 's1')
    expect(heard).toContainEqual({ sessionId: 's1', what: 'entries' })
    await store.events.add('s1', 1, [{ n: 1 }])
    await expect.poll(() => heard.filter(({ what }) => what === 'any').length, SOON).toBeGreaterThan(1)
    expect(heard.filter(({ sessionId, what }) => sessionId === 's1' && what === 'events')).toHaveLength(1)
  })

  it('are caught up with in order, also when the listening connection is cut again and again', async () => {
    const { store, schema, openAgain } = await openTestStore(database)
    const other = await openAgain()
    await createSession(store, 's1')
    const seen = follow(other, 's1')
    await expect.poll(() => findListeners(schema), SOON).toHaveLength(1)
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 20; index += 1) await store.events.add('s1', 1, [{ index }])
      for (const { pid } of await findListeners(schema)) await database.query('select pg_terminate_backend($1)', [pid])
      for (let index = 0; index < 20; index += 1) await store.events.add('s1', 1, [{ index }, { index }])
    }
    const all = Array.from({ length: 180 }, (_, index) => index + 1)
    await expect.poll(() => seen, SOON).toEqual(all)
    await expect.poll(() => findListeners(schema), SOON).toHaveLength(1)
  })

  it('are found without notices too, a moment later', async () => {
    const { store, openAgain } = await openTestStore(database)
    const deaf = await openAgain({ url: database.url, listenUrl: 'postgres://user@127.0.0.1:1/nowhere' })
    await createSession(store, 's1')
    const seen = follow(deaf, 's1')
    await store.events.add('s1', 1, [{ n: 1 }, { n: 2 }])
    await expect.poll(() => seen, SOON).toEqual([1, 2])
  })

  it('cost a connection only while somebody listens', async () => {
    const { store, schema } = await openTestStore(database)
    expect(await findListeners(schema)).toEqual([])
    const stop = [store.watch(() => {}), store.watch(() => {})]
    await expect.poll(() => findListeners(schema), SOON).toHaveLength(1)
    stop[0]?.()
    stop[0]?.()
    await createSession(store, 's1')
    expect(await findListeners(schema)).toHaveLength(1)
    stop[1]?.()
    await expect.poll(() => findListeners(schema), SOON).toEqual([])
  })

  it('never make a write fail', async () => {
    const { store } = await openTestStore(database)
    const heard = listen(store)
    await database.query(`select pg_notify('longhaul_' || current_schema, 'nonsense')`)
    await createSession(store, "o'neil with spaces and 東京")
    expect(heard).toContainEqual({ sessionId: "o'neil with spaces and 東京", what: 'entries' })
  })
})
