import type { DatabaseSync } from 'node:sqlite'
import type { ArtifactInfo, Artifacts } from '../port/artifacts.ts'
import { checkId } from '../records/check-id.ts'
import { hashContent } from '../records/hash-content.ts'
import { StoreError } from '../store-error.ts'
import { describeContent } from './contents/artifact-contents.ts'
import type { ArtifactContents } from './contents/artifact-contents.ts'
import type { ArtifactFiles } from './contents/artifact-files.ts'
import type { Database } from './database/database.ts'
import { toStoreError } from './database/sqlite-error.ts'
import { createSessionKeys } from './rows/session-keys.ts'

export interface ArtifactRooms {
  readonly files: ArtifactFiles
  readonly contents: ArtifactContents
}

export function createSqliteArtifacts(db: Database, { files, contents }: ArtifactRooms): Artifacts {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const hold = prepareHold(connection)
  const select = connection.prepare('SELECT sha256 FROM artifacts WHERE session_key = ? AND id = ?')
  const selectAll = connection.prepare(
    `SELECT id, at, bytes, artifacts.sha256 FROM artifacts JOIN artifact_contents USING (sha256)
     WHERE session_key = ? ORDER BY at, id`,
  )
  const deleteOld = prepareDeleteArtifacts(connection)

  return {
    async put({ sessionId, id, at, content }) {
      if (id !== undefined) checkId(id, 'artifact')
      await db.read(() => keys.get(sessionId))
      const described = describeContent(content)
      const { sha256, bytes } = described
      return contents.writeHeld([described], () => {
        const held = hold(keys.get(sessionId), { id: id ?? sha256, at, sha256 })
        return { ...held, bytes: bytes.length, sha256 }
      })
    },
    async read(sessionId, id) {
      const row = await db.read(() => select.get(keys.find(sessionId), id))
      return row === undefined ? null : readContent(db, files, String(row['sha256']))
    },
    list: (sessionId) =>
      db.read(() => {
        const rows = selectAll.all(keys.find(sessionId)) as unknown as ArtifactInfo[]
        return rows.map((row) => ({ ...row }))
      }),
    async deleteBefore(at) {
      let total = 0
      for (;;) {
        const deleted = await db.write(() => deleteOld(at))
        await contents.removeUnheld()
        total += deleted
        if (deleted === 0) return total
      }
    },
  }
}

/** What its name says, or damage: bytes that changed on disk are not what the tool said. */
export async function readContent(db: Database, files: ArtifactFiles, sha256: string): Promise<string | null> {
  try {
    const bytes = await files.read(sha256)
    if (bytes === null) return null
    if (hashContent(bytes) === sha256) return bytes.toString('utf8')
  } catch (error) {
    throw toStoreError(error, db.file)
  }
  throw new StoreError('damaged', `The file of artifact content ${sha256} has changed. Restore it from a backup.`)
}

interface Holding {
  readonly id: string
  readonly at: number
  readonly sha256: string
}

/** The row by which a session holds a content; the content is there already. Returns its newest use. */
export function prepareHold(
  connection: DatabaseSync,
): (sessionKey: number, holding: Holding) => Pick<Holding, 'id' | 'at'> {
  const select = connection.prepare('SELECT at, sha256 FROM artifacts WHERE session_key = ? AND id = ?')
  const upsert = connection.prepare(
    `INSERT INTO artifacts (session_key, id, at, sha256) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET at = excluded.at`,
  )
  return (sessionKey, { id, at, sha256 }) => {
    const held = select.get(sessionKey, id) as Omit<Holding, 'id'> | undefined
    if (held !== undefined && held.sha256 !== sha256) {
      throw new StoreError(
        'id-conflict',
        `There is an artifact ${id} with another content. Store this under another id.`,
      )
    }
    const newest = Math.max(at, held?.at ?? at)
    upsert.run(sessionKey, id, newest, sha256)
    return { id, at: newest }
  }
}

const ROWS_AT_ONCE = 100

function prepareDeleteArtifacts(connection: DatabaseSync): (before: number) => number {
  const old = connection.prepare(`SELECT session_key, id, sha256 FROM artifacts WHERE at < ? LIMIT ${ROWS_AT_ONCE}`)
  const name = connection.prepare('INSERT INTO artifact_removals (sha256) VALUES (?) ON CONFLICT DO NOTHING')
  const remove = connection.prepare('DELETE FROM artifacts WHERE session_key = ? AND id = ?')
  return (before) => {
    const rows = old.all(before) as unknown as { session_key: number; id: string; sha256: string }[]
    for (const { session_key: key, id, sha256 } of rows) {
      name.run(sha256)
      remove.run(key, id)
    }
    return rows.length
  }
}
