import { randomUUID } from 'node:crypto'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { prepareDeleteSome } from './purge.ts'
import { prepareInsertSome } from './rows/entry-rows.ts'
import type { WrittenEntry } from './rows/entry-rows.ts'
import { prepareInsertSession } from './rows/session-rows.ts'

/**
 * Entries of a session that is not there yet. They are written a few at a time under a key of their own, so that others
 * write in between; nobody finds them before their session is. What a crash left behind is deleted later.
 */
export interface Stagings {
  begin(): Promise<Staging>
  /** Deletes what nobody has added to for a while. */
  dropOld(): Promise<void>
}

interface Staging {
  /** The key of the session to come. */
  readonly key: number
  add(entries: readonly WrittenEntry[]): Promise<void>
  /** From now on they are a session's. To be called within the transaction that makes the session. */
  settle(): void
  /** Deletes them. */
  drop(): Promise<void>
}

/** A process that was halted for so long starts again. */
const OLD_MS = 5 * 60_000
/** A row that is condemned is never renewed: whoever still adds to it hears so. */
const CONDEMNED = -1

export function createStagings(db: Database): Stagings {
  const { connection, clock } = db
  const reserve = prepareReserve(db)
  const insertSome = prepareInsertSome(connection)
  const deleteSome = prepareDeleteSome(db)
  const renew = connection.prepare(
    `UPDATE stagings SET renewed_at = ? WHERE session_key = ? AND renewed_at <> ${CONDEMNED}`,
  )
  const condemn = connection.prepare(`UPDATE stagings SET renewed_at = ${CONDEMNED} WHERE session_key = ?`)
  const forget = connection.prepare('DELETE FROM stagings WHERE session_key = ?')
  const old = connection.prepare('SELECT session_key AS key FROM stagings WHERE renewed_at < ?')

  function hold(key: number): void {
    if (renew.run(clock(), key).changes > 0) return
    throw new StoreError('unavailable', 'It took too long and was taken back; nothing was stored. Try again.')
  }

  async function drop(key: number): Promise<void> {
    await db.write(() => condemn.run(key))
    while ((await db.writeUnsynced(() => deleteSome(key))) > 0) continue
    await db.write(() => forget.run(key))
  }

  return {
    async begin() {
      const key = await db.write(reserve)
      return {
        key,
        async add(entries) {
          for (let next = 0; next < entries.length;) {
            const from = next
            next = await db.writeUnsynced(() => {
              hold(key)
              return insertSome(key, entries, from)
            })
          }
        },
        settle() {
          hold(key)
          forget.run(key)
        },
        drop: () => drop(key),
      }
    },
    async dropOld() {
      const keys = await db.read(() => old.all(clock() - OLD_MS).map(({ key }) => Number(key)))
      for (const key of keys) await drop(key)
    },
  }
}

/** Keys are never given twice: the key of a session that was made and deleted at once is nobody else's. */
function prepareReserve({ connection, clock }: Database): () => number {
  const insertSession = prepareInsertSession(connection)
  const removeSession = connection.prepare('DELETE FROM sessions WHERE key = ?')
  const stage = connection.prepare('INSERT INTO stagings (session_key, renewed_at) VALUES (?, ?)')
  return () => {
    const key = insertSession({ id: randomUUID(), createdAt: 0, deletedAt: 0, header: '{}' })
    removeSession.run(key)
    stage.run(key, clock())
    return key
  }
}
