import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { describeWithPostgres } from '../../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../../test/postgres/open-test-store.ts'
import type { Store } from '../../port/store.ts'
import { foldHead } from '../../records/describe-session.ts'
import { assistant, settings, user } from '../../testing/build-entries.ts'
import { createTestOwner, startSession } from '../../testing/session-writer.ts'
import type { SessionWriter } from '../../testing/session-writer.ts'

const SESSIONS = 40

async function startSessions(store: Store): Promise<readonly SessionWriter[]> {
  const ids = Array.from({ length: SESSIONS }, (_, index) => `s${index}`)
  return Promise.all(ids.map((id) => startSession(store, id, user('one'))))
}

describeWithPostgres('appends of many sessions at once', (database) => {
  it('share transactions, and each session has its own in order', async () => {
    const { store, schema } = await openTestStore(database)
    const writers = await startSessions(store)
    const before = await database.query(`select from ${schema}.entries`)
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(writers.map((writer) => writer.write([assistant(`round ${round}`)])))
    }
    for (const [index, writer] of writers.entries()) {
      const entries = await store.entries.read(`s${index}`, {})
      expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
      expect((await store.sessions.get(`s${index}`))?.head).toEqual(foldHead(entries))
      expect(writer.getHead()).toEqual(foldHead(entries))
    }
    const [row] = await database.query(
      `select count(distinct xmin::text)::integer as transactions from ${schema}.entries where seq > 1`,
    )
    expect(before).toHaveLength(SESSIONS)
    expect(row?.['transactions']).toBeLessThan(SESSIONS * 5)
  })

  it('succeed or fail each by itself', async () => {
    const { store } = await openTestStore(database)
    const writers = await startSessions(store)
    await store.leases.release(writers[20]?.lease ?? expect.fail())
    await store.leases.acquire('s20', createTestOwner('another'))
    await store.sessions.purge('s22')
    const outcomes = await Promise.allSettled(
      writers.map((writer, index) => {
        if (index === 24) return writer.write([user('taken', 'e1')])
        if (index === 26) return store.entries.append({ ...writer.plan(user('late')), epoch: 99 })
        if (index === 28) return writer.write([settings({ title: 'with a title' }), user('two entries')])
        return writer.write([user('two')])
      }),
    )
    const codes = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? 'stored' : (outcome.reason as { code: string }).code,
    )
    const failed = new Map([
      [20, 'lease-lost'],
      [22, 'lease-lost'],
      [24, 'id-conflict'],
      [26, 'epoch-passed'],
    ])
    expect(codes).toEqual(writers.map((_, index) => failed.get(index) ?? 'stored'))
    for (const [index] of writers.entries()) {
      const entries = await store.entries.read(`s${index}`, {})
      const kept = index === 22 ? 0 : failed.has(index) ? 1 : index === 28 ? 3 : 2
      expect(entries).toHaveLength(kept)
    }
  })

  it('do not wait for one whose session somebody holds', async () => {
    const { store, schema } = await openTestStore(database)
    const writers = await startSessions(store)
    const client = new Client({ connectionString: database.url })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('begin')
    await client.query(`select from ${schema}.sessions where id = 's30' for update`)
    const order: number[] = []
    const writes = writers.map(async (writer, index) => {
      await writer.write([user('two')])
      order.push(index)
    })
    await Promise.all(writes.filter((_, index) => index !== 30))
    expect(order).not.toContain(30)
    await client.query('rollback')
    await writes[30]
    expect(order.at(-1)).toBe(30)
  })

  it('are stored with a single connection too', async () => {
    const { openAgain } = await openTestStore(database)
    const store = await openAgain({ url: database.url, poolSize: 1 })
    const writers = await startSessions(store)
    await Promise.all(writers.map((writer) => writer.write([user('two')])))
    for (const [index] of writers.entries()) expect(await store.entries.read(`s${index}`, {})).toHaveLength(2)
  })
})
