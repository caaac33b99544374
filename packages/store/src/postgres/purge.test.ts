import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import { settings, user } from '../testing/build-entries.ts'
import { createSession, startSession } from '../testing/session-writer.ts'
import { nameTables } from './database/tables.ts'

/** On a machine that has much to do, too. */
const SOON = { timeout: 20_000 }

describeWithPostgres('a purge in PostgreSQL', (database) => {
  /** Tables of which a row holds the text, in whatever column. */
  async function findText(schema: string, text: string): Promise<readonly string[]> {
    const { lease_tokens: _sequence, ...tables } = nameTables(schema)
    const found: string[] = []
    for (const [name, table] of Object.entries(tables)) {
      const hex = Buffer.from(text).toString('hex')
      const rows = await database.query(`select from ${table} t where t::text like $1 or t::text like $2`, [
        `%${text}%`,
        `%${hex}%`,
      ])
      if (rows.length > 0) found.push(name)
    }
    return found
  }

  it('leaves no row with the text in any table, and vacuums them', async () => {
    const { store, schema } = await openTestStore(database)
    const writer = await startSession(store, 'gone', settings({ title: 'xyzzy title' }), user('an xyzzy question'))
    await writer.write([user('more xyzzy')])
    await store.leases.setWork(writer.lease, { kind: 'xyzzy' })
    await store.inbox.put({ sessionId: 'gone', id: 'i1', at: 1, kind: 'message', payload: { text: 'xyzzy' } })
    await store.events.add('gone', 1, [{ type: 'delta', text: 'xyzzy' }])
    await store.artifacts.put({ sessionId: 'gone', id: 'a', at: 1, content: 'all of xyzzy' })
    await store.artifacts.put({ sessionId: 'gone', id: 'b', at: 1, content: 'held by both' })
    await createSession(store, 'kept', user('something else'))
    await store.artifacts.put({ sessionId: 'kept', id: 'b', at: 1, content: 'held by both' })
    expect(await store.search.search({ query: 'xyzzy' })).toHaveLength(2)
    expect(await findText(schema, 'xyzzy')).toEqual([
      'sessions',
      'entries',
      'message_words',
      'inbox',
      'leases',
      'events',
      'artifact_contents',
    ])

    await store.sessions.purge('gone')
    expect(await findText(schema, 'xyzzy')).toEqual([])
    expect(await findText(schema, 'gone')).toEqual([])
    expect(await store.artifacts.read('kept', 'b')).toBe('held by both')
    const countVacuums = async () => {
      const rows = await database.query(
        `select relname from pg_stat_user_tables where schemaname = $1 and vacuum_count > 0`,
        [schema],
      )
      return rows.map(({ relname }) => relname)
    }
    await expect
      .poll(countVacuums, SOON)
      .toEqual(expect.arrayContaining(['sessions', 'entries', 'message_words', 'inbox']))
  })

  it('is done even where vacuuming cannot be', async () => {
    const { store, schema, openAgain } = await openTestStore(database)
    await createSession(store, 'gone', user('an xyzzy question'))
    const options = encodeURIComponent('-c statement_timeout=300')
    const hurried = await openAgain({
      url: `${database.url}${database.url.includes('?') ? '&' : '?'}options=${options}`,
    })
    // Another vacuum, as far as PostgreSQL can tell: ours waits for it in vain.
    const vacuum = new Client({ connectionString: database.url })
    await vacuum.connect()
    onTestFinished(() => vacuum.end())
    await vacuum.query(`begin; lock table ${schema}.events in share update exclusive mode`)
    await hurried.sessions.purge('gone')
    expect(await store.sessions.get('gone')).toBeNull()
  })
})
