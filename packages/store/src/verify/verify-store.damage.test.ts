import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../../test/describe-stores.ts'
import type { Store } from '../port/store.ts'
import { user } from '../testing/build-entries.ts'
import { fillStore } from '../testing/fill-store.ts'
import { createSession } from '../testing/session-writer.ts'
import { verifyStore } from './verify-store.ts'

/** What somebody else has done to the file. */
describe('verifyStore on a damaged SQLite file', () => {
  let store: Store
  let file: string
  beforeEach(async () => {
    ;({ store, file } = await openSqliteStore())
    await fillStore(store)
    await createSession(store, 'sound', user('Hello'))
  })

  function damage(sql: string): void {
    const connection = new DatabaseSync(file)
    connection.exec('PRAGMA foreign_keys = OFF')
    connection.exec(sql)
    connection.close()
  }

  const ofTalk = `session_key = (SELECT key FROM sessions WHERE id = 'talk')`

  async function findProblems(repair = false): Promise<readonly string[]> {
    const { problems } = await verifyStore(store, { repair })
    return problems.map(({ sessionId, what }) => `${sessionId}: ${what}`)
  }

  it('finds nothing before the damage', async () => {
    expect(await findProblems()).toEqual([])
  })

  it('names the entry that cannot be read, and checks the other sessions all the same', async () => {
    damage(`UPDATE entries SET entry = '{"type":"mess' WHERE seq = 3 AND ${ofTalk}`)
    const report = await verifyStore(store)
    expect(report.problems.map(({ what }) => what)).toContain('Entries cannot be read: 3.')
    expect(report).toMatchObject({ sessions: 4, entries: 7 })
  })

  it('names the entries that are missing', async () => {
    damage(`DELETE FROM entries WHERE seq IN (2, 3) AND ${ofTalk}`)
    expect(await findProblems()).toContain('talk: Entries are missing: 2 to 3.')
  })

  it.each([
    ['a counter', `UPDATE sessions SET head = replace(head, '"messages":4', '"messages":5') WHERE id = 'talk'`],
    ['a title', `UPDATE sessions SET title = 'Mine' WHERE id = 'talk'`],
    ['a preview', `UPDATE sessions SET preview = NULL WHERE id = 'talk'`],
    ['a head that is no JSON', `UPDATE sessions SET head = '{' WHERE id = 'talk'`],
  ])('finds %s that the entries do not bear out, and repairs it', async (_, sql) => {
    damage(sql)
    const found = await findProblems()
    expect(found.length).toBeGreaterThan(0)
    expect(found.some((problem) => problem.startsWith('talk: '))).toBe(true)
    await verifyStore(store, { repair: true })
    expect(await findProblems()).toEqual([])
  })

  it('an empty head is folded anew', async () => {
    damage(`UPDATE sessions SET head = '{}' WHERE id = 'talk'`)
    const report = await verifyStore(store, { repair: true })
    expect(report).toMatchObject({ entries: 8, repaired: ['talk'], notices: [{ sessionId: 'talk' }] })
    expect(await findProblems()).toEqual([])
  })

  it('what cannot be repaired is said, and left as it is', async () => {
    damage(`UPDATE sessions SET head = '{' WHERE id = 'talk'`)
    damage(`UPDATE entries SET entry = '{' WHERE seq = 3 AND ${ofTalk}`)
    const report = await verifyStore(store, { repair: true })
    expect(report.repaired).toEqual([])
    expect(report.problems.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('Its head cannot be made anew'),
    )
  })

  it.each([
    ['inbox', `UPDATE inbox SET payload = '{' WHERE ${ofTalk} AND settled_at IS NULL`],
    ['requests', `UPDATE requests SET manifest = '{' WHERE ${ofTalk} AND number = 2`],
  ])('finds a damaged row of its %s', async (room, sql) => {
    damage(sql)
    expect(await findProblems()).toContainEqual(expect.stringMatching(new RegExp(`^talk: Its ${room} cannot be read`)))
  })
})
