import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import { numberLines, user } from '../testing/build-entries.ts'
import { createSession, startSession } from '../testing/session-writer.ts'

describeWithPostgres('search in PostgreSQL', (database) => {
  it('ranks by the rare word, however often the common ones stand elsewhere', async () => {
    const { store } = await openTestStore(database)
    const common = 'what did we say about the thing that we did with the other thing and what about it'
    await createSession(
      store,
      's1',
      ...Array.from({ length: 60 }, () => user(common)),
      user('the harbour fee is 12 euros'),
    )
    const hits = await store.search.search({ query: 'what did we say about the harbour fee', limit: 3 })
    expect(hits[0]?.seq).toBe(61)
  })

  it('finds a phrase at the end of a long text without spaces', async () => {
    const { store } = await openTestStore(database)
    await createSession(store, 's1', user(`${'我昨天去了大学图书馆的的的'.repeat(3_000)}北京烤鸭`), user('北方 京'))
    expect((await store.search.search({ query: '北京烤鸭' })).map(({ seq }) => seq)).toEqual([1])
  })

  it('indexes by itself when a session has been quiet for a moment', async () => {
    const { store, schema } = await openTestStore(database)
    const writer = await startSession(store, 's1', user('one walrus'))
    await writer.write([user('two walruses')])
    const countRows = async () =>
      (await database.query(`select count(*)::integer as rows from ${schema}.message_words`))[0]?.['rows']
    expect(await countRows()).toBe(0)
    await expect.poll(countRows, { timeout: 10_000 }).toBe(2)
  })

  it('indexes what a store left behind that was closed at once', async () => {
    const { store, openAgain } = await openTestStore(database)
    await createSession(store, 's1', user('one walrus'))
    await store.close()
    const other = await openAgain()
    expect(await other.search.search({ query: 'walrus' })).toHaveLength(1)
  })

  it('indexes each message once, however many search at once', async () => {
    const { store, openAgain, schema } = await openTestStore(database)
    const other = await openAgain()
    await createSession(store, 's1', ...Array.from({ length: 450 }, (_, index) => user(`walrus ${index}`)))
    const found = await Promise.all(
      [store, other, store, other].map((one) => one.search.search({ query: 'walrus', limit: 1_000 })),
    )
    expect(found.map((hits) => hits.length)).toEqual([450, 450, 450, 450])
    const [row] = await database.query(`select count(*)::integer as rows from ${schema}.message_words`)
    expect(row?.['rows']).toBe(450)
  })

  it('goes on where an entry is damaged', async () => {
    const { store, schema } = await openTestStore(database)
    await store.sessions.create({ id: 's1', createdAt: 1, entries: numberLines([user('walrus'), user('walrus two')]) })
    await database.query(`update ${schema}.entries set body = 'nonsense' where seq = 1`)
    expect((await store.search.search({ query: 'walrus' })).map(({ seq }) => seq)).toEqual([2])
    await expect(store.entries.read('s1', {})).rejects.toMatchObject({ code: 'damaged' })
  })
})
