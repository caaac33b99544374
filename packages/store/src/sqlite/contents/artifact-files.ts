import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, readFile, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../database/make-folder.ts'

/** Contents as files named after their hash, `ab/cd/abcd…`: no name from outside ever becomes a path. */
export interface ArtifactFiles {
  /** Resolves once it is on disk under its name, whole. */
  write(sha256: string, bytes: Buffer): Promise<void>
  /** The same for whoever holds the lock, under which nobody can remove it: the whole process waits for the disk. */
  writeAtOnce(sha256: string, bytes: Buffer): void
  /** null: there is no such file. */
  read(sha256: string): Promise<Buffer | null>
  has(sha256: string): boolean
  /** With it goes what a crash has left of writing it. */
  remove(sha256: string): void
  /** Hashes of all files. */
  list(): Promise<readonly string[]>
}

export function createArtifactFiles(root: string): ArtifactFiles {
  const folderOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256.slice(2, 4))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256)

  return {
    async write(sha256, bytes) {
      const folder = folderOf(sha256)
      await makeSyncedFolder(folder)
      const part = `${pathOf(sha256)}.${randomUUID()}.part`
      const file = await open(part, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, pathOf(sha256))
      await syncFolder(folder)
    },
    writeAtOnce(sha256, bytes) {
      const folder = folderOf(sha256)
      const made = makeFolder(folder)
      const part = `${pathOf(sha256)}.${randomUUID()}.part`
      writeFileSync(part, bytes, { flag: 'wx', mode: 0o600, flush: true })
      renameSync(part, pathOf(sha256))
      for (const changed of [folder, ...made.map((path) => dirname(path))]) syncFolderAtOnce(changed)
    },
    read: (sha256) => orIfMissing(() => readFile(pathOf(sha256)), null),
    has: (sha256) => existsSync(pathOf(sha256)),
    remove(sha256) {
      const folder = folderOf(sha256)
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder)) if (name.startsWith(sha256)) rmSync(join(folder, name), { force: true })
      syncFolderAtOnce(folder)
    },
    async list() {
      const files = await orIfMissing(() => readdir(root, { recursive: true, withFileTypes: true }), [])
      return files.filter((file) => file.isFile() && IS_HASH.test(file.name)).map(({ name }) => name)
    },
  }
}

/** Windows opens no folder as a file; its file system keeps names by itself. */
const CAN_SYNC_FOLDERS = process.platform !== 'win32'

const IS_HASH = /^[\da-f]{64}$/

/** A new folder is on disk only when the one that holds it is. */
async function makeSyncedFolder(folder: string): Promise<void> {
  for (const made of makeFolder(folder)) await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  if (!CAN_SYNC_FOLDERS) return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function syncFolderAtOnce(folder: string): void {
  if (!CAN_SYNC_FOLDERS) return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

async function orIfMissing<T, M>(look: () => Promise<T>, missing: M): Promise<T | M> {
  try {
    return await look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing
    throw error
  }
}
