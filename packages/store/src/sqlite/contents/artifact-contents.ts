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

/** How often others may remove a file before its row is there. Then it is written under the lock, where they cannot. */
const MAX_TRIES = 3

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
    try {
      for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
        const held = await tryToHold(contents, work)
        if (held !== null) return held.value
      }
      await nameAll(contents.map(({ sha256 }) => sha256))
      return await db.write(() => {
        for (const { sha256, bytes } of contents) if (!files.has(sha256)) files.writeAtOnce(sha256, bytes)
        return hold(contents, work)
      })
    } catch (error) {
      // What was written for nothing goes at once; if that fails too, the next one to open the store sees to it.
      await removeUnheld(contents.map(({ sha256 }) => sha256)).catch(() => {})
      throw toStoreError(error, db.file)
    }
  }

  /** null: others, who open and purge, took a file that no row holds yet for a remainder. */
  async function tryToHold<T>(contents: readonly ArtifactContent[], work: () => T): Promise<{ value: T } | null> {
    try {
      await writeMissing(contents)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    return db.write(() => (contents.every(({ sha256 }) => files.has(sha256)) ? { value: hold(contents, work) } : null))
  }

  function hold<T>(contents: readonly ArtifactContent[], work: () => T): T {
    for (const { sha256, bytes } of contents) {
      insert.run(sha256, bytes.length)
      unname.run(sha256)
    }
    return work()
  }

  return { writeHeld, removeUnheld }
}
