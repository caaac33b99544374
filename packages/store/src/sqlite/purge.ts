import { StoreError } from '../store-error.ts'
import type { ArtifactContents } from './contents/artifact-contents.ts'
import type { Database } from './database/database.ts'
import { PLACES_PER_SESSION, placeOf } from './database/place.ts'
import { waitForLock } from './database/retry-while-busy.ts'
import type { Row } from './database/run-in-thread.ts'
import type { MessageIndex } from './message-index.ts'
import { createSessionKeys } from './rows/session-keys.ts'

export interface Purge {
  /** Resolves when no file of the store holds the text of the session any more. */
  run(sessionId: string): Promise<void>
  /** Ends what a crash has interrupted. */
  finish(): Promise<void>
}

/**
 * The session goes in one transaction, and what hangs on it is hidden with it; its traces are wiped out after that. Deleting
 * rows is not enough for it: SQLite overwrites what it deletes, but copies of rows that it once moved between pages stay
 * in their gaps, deleted words in the index and all of it in the log. So the index is merged, files are removed and the
 * whole database is rewritten. Purges that come together are wiped out together.
 */
export function createPurge(db: Database, index: MessageIndex, contents: ArtifactContents): Purge {
  const deleteSession = prepareDeleteSession(db)
  const deleteSome = prepareDeleteSome(db)
  const due = db.connection.prepare('SELECT session_key AS key FROM erasures')
  const settle = db.connection.prepare('DELETE FROM erasures WHERE session_key = ?')
  let last: Promise<void> = Promise.resolve()

  async function wipe(): Promise<void> {
    const keys = (await db.read(() => due.all())).map(({ key }) => Number(key))
    if (keys.length === 0) return
    for (const key of keys) {
      while ((await db.writeUnsynced(() => deleteSome(key))) > 0) continue
    }
    await contents.removeUnheld()
    await index.dropDeleted()
    await rewrite(db)
    await db.write(() => {
      for (const key of keys) settle.run(key)
    })
  }

  async function finish(): Promise<void> {
    last = last.catch(() => {}).then(wipe)
    await last
  }

  return {
    async run(sessionId) {
      const wasThere = await db.write(() => deleteSession(sessionId))
      if (wasThere) db.changes.notify({ sessionId, what: 'any' })
      await finish()
    },
    finish,
  }
}

const CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)'
const CHECKPOINT_WITHIN_MS = 5_000

async function rewrite(db: Database): Promise<void> {
  const isDone = (rows: readonly Row[] | undefined): boolean => rows?.[0]?.['busy'] === 0
  const [, checkpoint] = await db.runInThread('VACUUM', CHECKPOINT)
  if (isDone(checkpoint)) return
  // SQLite waits for readers, but not for another checkpoint: every large write ends with a short one.
  for (const until = performance.now() + CHECKPOINT_WITHIN_MS; performance.now() < until;) {
    await waitForLock()
    const [again] = await db.runInThread(CHECKPOINT)
    if (isDone(again)) return
  }
  throw new StoreError(
    'unavailable',
    `Erased, but something still reads an older state of ${db.file}, a backup perhaps. Purge again when it is done.`,
  )
}

function prepareDeleteSession({ connection }: Database): (sessionId: string) => boolean {
  const keys = createSessionKeys(connection)
  const nameContents = connection.prepare(
    `INSERT INTO artifact_removals (sha256) SELECT DISTINCT sha256 FROM artifacts WHERE session_key = ?
     ON CONFLICT DO NOTHING`,
  )
  const note = connection.prepare('INSERT INTO erasures (session_key) VALUES (?)')
  const remove = connection.prepare('DELETE FROM sessions WHERE key = ?')
  return (sessionId) => {
    const key = keys.find(sessionId)
    if (key === null) return false
    nameContents.run(key)
    note.run(key)
    remove.run(key)
    return true
  }
}

const ROWS_AT_ONCE = 250

/** Returns how many rows went. */
export function prepareDeleteSome({ connection }: Database): (sessionKey: number) => number {
  const bySession = (table: string, column: string) =>
    connection.prepare(
      `DELETE FROM ${table} WHERE session_key = ?1 AND ${column} IN
       (SELECT ${column} FROM ${table} WHERE session_key = ?1 LIMIT ${ROWS_AT_ONCE})`,
    )
  const byPlace = (table: string, column: string) =>
    `SELECT ${column} FROM ${table} WHERE ${column} >= ? AND ${column} < ?`
  const placed = [
    `DELETE FROM message_words WHERE rowid IN (${byPlace('message_words_docsize', 'id')} LIMIT ${ROWS_AT_ONCE})`,
    `DELETE FROM entries WHERE place IN (${byPlace('entries', 'place')} LIMIT ${ROWS_AT_ONCE})`,
  ].map((sql) => connection.prepare(sql))
  const keyed = [bySession('requests', 'number'), bySession('events', 'id')]

  return (sessionKey) => {
    const places = [placeOf(sessionKey, 0), placeOf(sessionKey, PLACES_PER_SESSION)] as const
    for (const statement of placed) {
      const deleted = Number(statement.run(...places).changes)
      if (deleted > 0) return deleted
    }
    return keyed.reduce((deleted, statement) => deleted + Number(statement.run(sessionKey).changes), 0)
  }
}
