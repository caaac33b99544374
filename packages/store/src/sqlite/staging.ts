import type { Entry } from '@longhaul/engine'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { placeOf } from './database/place.ts'
import { prepareDeleteSome } from './delete-rows.ts'
import { prepareInsertRows, writeEntryParts } from './rows/entry-rows.ts'
import { prepareInsertSession } from './rows/session-rows.ts'

/**
 * Entries of a session that is not there yet: too many for one transaction, during which nobody else could do anything.
 * They lie at a key of their own, where nobody sees them, until one more transaction adds the session. The key is named in
 * `erasures` until then, so that what a crash leaves is deleted like the traces of a purge.
 */
export interface Staging {
  /** Stores the entries, part by part; then `finish` adds the session at their key, or nothing of it stays. */
  run<T>(session: StagedSession, finish: (key: number, commit: Commit) => Promise<T>): Promise<T>
  /** Whether this process is still at it: then what lies there is no trace of anything. */
  isUnderWay(key: number): boolean
}

interface StagedSession {
  readonly id: string
  readonly createdAt: number
  readonly entries: readonly Entry[]
}

/** Called in the transaction that adds the session: from then on its entries are held by it. */
type Commit = () => void

/** How often another process, which took the entries for remains of a crash, may get in the way. */
const MAX_TRIES = 3

export function createStaging(db: Database): Staging {
  const { connection } = db
  const reserve = prepareReserve(db)
  const insertRows = prepareInsertRows(connection)
  const deleteSome = prepareDeleteSome(connection)
  const named = connection.prepare('SELECT 1 FROM erasures WHERE session_key = ?')
  const name = connection.prepare('INSERT INTO erasures (session_key) VALUES (?) ON CONFLICT DO NOTHING')
  const unname = connection.prepare('DELETE FROM erasures WHERE session_key = ?')
  const entryAt = connection.prepare('SELECT 1 FROM entries WHERE place = ?')
  const underWay = new Set<number>()

  function checkNamed(key: number): void {
    if (named.get(key) === undefined) throw new Disturbed()
  }

  /** They are deleted from the first on: while it is there, all are. */
  function commit(key: number): void {
    checkNamed(key)
    if (entryAt.get(placeOf(key, 1)) === undefined) throw new Disturbed()
    unname.run(key)
  }

  async function tryOnce<T>(
    { entries, ...session }: StagedSession,
    finish: (key: number, commit: Commit) => Promise<T>,
  ): Promise<T> {
    let key = 0
    try {
      await db.writeUnsynced(() => {
        // A transaction that was taken back may run again, and give another key.
        underWay.delete(key)
        key = reserve(session)
        underWay.add(key)
      })
      for (const part of writeEntryParts(entries)) {
        await db.writeUnsynced(() => {
          checkNamed(key)
          insertRows(key, part)
        })
      }
      return await finish(key, () => commit(key))
    } catch (error) {
      // If this fails too, the next one to open the store sees to it.
      if (key !== 0) await drop(key).catch(() => {})
      throw error
    } finally {
      underWay.delete(key)
    }
  }

  async function drop(key: number): Promise<void> {
    await db.writeUnsynced(() => name.run(key))
    while ((await db.writeUnsynced(() => deleteSome(key))) > 0) continue
    await db.writeUnsynced(() => unname.run(key))
  }

  return {
    async run(session, finish) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await tryOnce(session, finish)
        } catch (error) {
          if (!(error instanceof Disturbed)) throw error
          if (tries === MAX_TRIES) throw new StoreError('unavailable', error.message)
        }
      }
    },
    isUnderWay: (key) => underWay.has(key),
  }
}

class Disturbed extends Error {
  override readonly message = 'Other processes kept opening the store while a long session was stored. Try again.'
}

/** A key that no session has, or will have: keys are given once. Refuses an id that is taken. */
function prepareReserve({ connection }: Database): (session: Omit<StagedSession, 'entries'>) => number {
  const insert = prepareInsertSession(connection)
  const remove = connection.prepare('DELETE FROM sessions WHERE key = ?')
  const name = connection.prepare('INSERT INTO erasures (session_key) VALUES (?)')
  return ({ id, createdAt }) => {
    const key = insert({ id, createdAt, deletedAt: null, header: '{}' })
    remove.run(key)
    name.run(key)
    return key
  }
}
