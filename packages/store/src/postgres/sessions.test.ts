import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import type { Store } from '../port/store.ts'
import { START_AT, user } from '../testing/build-entries.ts'
import { startSession } from '../testing/session-writer.ts'

/** All pages of the list, one after the other. */
async function pageThrough(store: Store, limit: number, query = ''): Promise<readonly string[]> {
  const ids: string[] = []
  let after: string | null = null
  do {
    const page = await store.sessions.list(after === null ? { limit, query } : { limit, query, after })
    ids.push(...page.items.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  return ids
}

describeWithPostgres('sessions in PostgreSQL', (database) => {
  it('are listed by their last change, whether they have an owner, had one, or lost it', async () => {
    const { store, schema } = await openTestStore(database)
    for (const [index, id] of ['owned', 'free', 'released', 'expired', 'never'].entries()) {
      const at = START_AT + index
      if (id === 'free' || id === 'never') {
        await store.sessions.create({ id, createdAt: at })
        continue
      }
      const writer = await startSession(store, id, { ...user('a walrus'), at })
      // Newer than all that come after it in the list of names.
      await writer.write([{ ...user('another walrus'), at: START_AT + 1_000 - index }])
      if (id === 'released') await store.leases.release(writer.lease)
    }
    await database.query(`update ${schema}.leases set expires_at = now() where session_id = 'expired'`)
    const order = ['owned', 'released', 'expired', 'never', 'free']
    for (const limit of [1, 2, 3, 10]) {
      expect(await pageThrough(store, limit)).toEqual(order)
      expect(await pageThrough(store, limit, 'walrus')).toEqual(['owned', 'released', 'expired'])
    }
    const late = await store.sessions.list({ updatedBefore: START_AT + 999 })
    expect(late.items.map(({ id }) => id)).toEqual(['released', 'expired', 'never', 'free'])
  })

  it('cost an append no change of an index on them', async () => {
    const { store, schema } = await openTestStore(database)
    const writer = await startSession(store, 's1')
    for (let index = 0; index < 50; index += 1) await writer.write([user(`message ${index}`)])
    const countUpdates = async () => {
      const [row] = await database.query(
        `select n_tup_upd::integer as updates, (n_tup_upd - n_tup_hot_upd)::integer as moves
        from pg_stat_user_tables where schemaname = $1 and relname = 'sessions'`,
        [schema],
      )
      return row
    }
    // The one of taking the lease, and those that found their page full.
    await expect.poll(countUpdates, { timeout: 20_000 }).toMatchObject({ updates: 51 })
    expect((await countUpdates())?.['moves']).toBeLessThan(10)
  })
})
