import { hashContent } from '../../records/hash-content.ts'
import type { Database } from '../database/database.ts'
import { toStoreError } from '../database/sqlite-error.ts'
import type { ArtifactFiles } from './artifact-files.ts'

export interface ArtifactContent {
  readonly sha256: string
  readonly bytes: Buffer
}

/**
 * Keeps files and rows in step, whatever crashes: a file is named in `artifact_removals` before it is written, and until
 * a row holds it. Whatever is named there and held by nobody is removed, under the lock that every row is written under.
 */
export interface ArtifactContents {
  /** Stores the files, then runs `work`, which writes the rows that hold them. */
  writeHeld<T>(contents: readonly ArtifactContent[], work: () => T): Promise<T>
  /** Removes what is named and held by nobody; these hashes too. */
  removeUnheld(also?: readonly string[]): Promise<void>
}

/** UTF-8 has no half characters. */
export function describeContent(content: string): ArtifactContent {
  const bytes = Buffer.from(content.toWellFormed(), 'utf8')
  return { sha256: hashContent(bytes), bytes }
}

/** How often others may remove a file before its row is there: each time it had to be nobody's. */
const MAX_TRIES = 20

export function createArtifactContents(db: Database, files: ArtifactFiles): ArtifactContents {
  const { connection } = db
  const select = connection.prepare('SELECT 1 FROM artifact_contents WHERE sha256 = ?')
  const insert = connection.prepare(
    'INSERT INTO artifact_contents (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const deleteContent = connection.prepare('DELETE FROM artifact_contents WHERE sha256 = ?')
  const holder = connection.prepare('SELECT 1 FROM artifacts WHERE sha256 = ? LIMIT 1')
  const name = connection.prepare('INSERT INTO artifact_removals (sha256) VALUES (?) ON CONFLICT DO NOTHING')
  const unname = connection.prepare('DELETE FROM artifact_removals WHERE sha256 = ?')
  const named = connection.prepare('SELECT sha256 FROM artifact_removals LIMIT 100')

  function listNamed(): readonly string[] {
    return named.all().map(({ sha256 }) => String(sha256))
  }

  function removeSome(): void {
    for (const sha256 of listNamed()) {
      if (holder.get(sha256) === undefined) {
        files.remove(sha256)
        deleteContent.run(sha256)
      }
      unname.run(sha256)
    }
  }

  async function writeMissing(contents: readonly ArtifactContent[]): Promise<void> {
    const isKept = ({ sha256 }: ArtifactContent) => select.get(sha256) !== undefined && files.has(sha256)
    const missing = await db.read(() => contents.filter((content) => !isKept(content)))
    if (missing.length === 0) return
    await nameAll(missing.map(({ sha256 }) => sha256))
    for (const { sha256, bytes } of missing) await files.write(sha256, bytes)
  }

  async function nameAll(hashes: readonly string[]): Promise<void> {
    await db.write(() => {
      for (const sha256 of hashes) name.run(sha256)
    })
  }

  async function removeUnheld(also: readonly string[] = []): Promise<void> {
    if (also.length > 0) await nameAll(also)
    while ((await db.read(listNamed)).length > 0) await db.write(removeSome)
  }

  async function writeHeld<T>(contents: readonly ArtifactContent[], work: () => T): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        await writeMissing(contents)
        return await db.write(() => {
          if (!contents.every(({ sha256 }) => files.has(sha256))) throw new FileGoneError()
          for (const { sha256, bytes } of contents) {
            insert.run(sha256, bytes.length)
            unname.run(sha256)
          }
          return work()
        })
      } catch (error) {
        // Others open and purge: a file that no row holds yet looks like a remainder to them.
        const isGone = error instanceof FileGoneError || (error as NodeJS.ErrnoException).code === 'ENOENT'
        if (isGone && tries < MAX_TRIES) continue
        // What was written for nothing goes at once; if that fails too, the next one to open the store sees to it.
        await removeUnheld(contents.map(({ sha256 }) => sha256)).catch(() => {})
        throw toStoreError(error, db.file)
      }
    }
  }

  return { writeHeld, removeUnheld }
}

class FileGoneError extends Error {}
