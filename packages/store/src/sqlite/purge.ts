import { StoreError } from '../store-error.ts'
import type { ArtifactContents } from './contents/artifact-contents.ts'
import type { Database } from './database/database.ts'
import { prepareDeleteSome } from './delete-rows.ts'
import type { MessageIndex } from './message-index.ts'
import { createSessionKeys } from './rows/session-keys.ts'
import type { Staging } from './staging.ts'

export interface Purge {
  /** Resolves when no file of the store holds the text of the session any more. */
  run(sessionId: string): Promise<void>
  /** Ends what a crash has interrupted. */
  finish(): Promise<void>
}

export interface PurgeRooms {
  readonly index: MessageIndex
  readonly contents: ArtifactContents
  readonly staging: Pick<Staging, 'isUnderWay'>
}

/**
 * The session goes in one transaction, and what hangs on it is hidden with it; its traces are wiped out after that. Deleting
 * rows is not enough for it: SQLite overwrites what it deletes, but copies of rows that it once moved between pages stay
 * in their gaps, deleted words in the index and all of it in the log. So the index is merged, files are removed and the
 * whole database is rewritten. Purges that come together are wiped out together.
 */
export function createPurge(db: Database, { index, contents, staging }: PurgeRooms): Purge {
  const deleteSession = prepareDeleteSession(db)
  const deleteSome = prepareDeleteSome(db.connection)
  const due = db.connection.prepare('SELECT session_key AS key FROM erasures')
  const settle = db.connection.prepare('DELETE FROM erasures WHERE session_key = ?')
  let last: Promise<void> = Promise.resolve()

  async function wipe(): Promise<void> {
    const named = (await db.read(() => due.all())).map(({ key }) => Number(key))
    const keys = named.filter((key) => !staging.isUnderWay(key))
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

async function rewrite(db: Database): Promise<void> {
  const [, checkpoint] = await db.runInThread('VACUUM', 'PRAGMA wal_checkpoint(TRUNCATE)')
  if (checkpoint?.[0]?.['busy'] === 0) return
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
