import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { lstat, mkdir, open, readlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isMissing, isSamePath } from './workspace.ts'
import type { Place } from './workspace.ts'

/** The part of a place that opening needs. */
export type Target = Pick<Place, 'path' | 'real'> & { readonly stats?: Stats | null }

/**
 * No open waits (a named pipe without a writer would hold one of Node's four file threads for good, and four of them
 * every session of the process), and none follows a link that was put there after the path was looked at.
 */
const SAFELY = constants.O_NONBLOCK | constants.O_NOFOLLOW

const FLAGS = {
  read: constants.O_RDONLY | SAFELY,
  append: constants.O_RDWR | constants.O_APPEND | SAFELY,
  create: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | SAFELY,
  folder: constants.O_RDONLY | constants.O_DIRECTORY | SAFELY,
} as const

/** Opens a regular file for reading, or for reading and adding to its end, and closes it when `use` is done. */
export async function withFile<T>(
  target: Target,
  access: 'read' | 'append',
  use: (handle: FileHandle, stats: Stats) => Promise<T>,
): Promise<T> {
  const { path, real, stats } = target
  // Devices are not even opened: opening alone may make some of them act.
  if (stats !== undefined && stats !== null) refuseUnlessFile(stats, path)
  const handle = await open(real, FLAGS[access])
  try {
    const opened = await handle.stat()
    refuseUnlessFile(opened, path)
    await refuseUnlessAt(handle, real, path)
    return await use(handle, opened)
  } finally {
    await handle.close()
  }
}

/** A folder that is held open. `at` gives the path of a name in it, which leads there even if the folder was moved. */
interface HeldFolder {
  readonly at: (name: string) => string
}

/** Holds an existing folder open while `use` works in it. */
export async function withFolder<T>({ path, real }: Target, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  // Only Linux has paths that begin at an open folder.
  if (process.platform !== 'linux') return use({ at: (name) => join(real, name) })
  const handle = await open(real, FLAGS.folder)
  try {
    await refuseUnlessAt(handle, real, path)
    return await use({ at: (name) => `/proc/self/fd/${handle.fd}/${name}` })
  } finally {
    await handle.close()
  }
}

/** Holds the folder open in which a file stands or will stand; folders that are missing are made. */
export async function withFolderOf<T>(
  { path, real }: Target,
  use: (folder: HeldFolder, name: string) => Promise<T>,
): Promise<T> {
  await makeFolder({ path, real: dirname(real) })
  return withFolder({ path, real: dirname(real) }, (folder) => use(folder, basename(real)))
}

/** Made one inside the other, each in its folder held open: a link that is put there meanwhile is not followed. */
async function makeFolder({ path, real }: Target): Promise<void> {
  const stats = await lstat(real).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (stats !== null) return
  const parent = dirname(real)
  await makeFolder({ path, real: parent })
  await withFolder({ path, real: parent }, async ({ at }) => {
    await mkdir(at(basename(real))).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  })
}

/** A new file in a folder that is held open. Rejects if something has that name already. */
export function createFile({ at }: HeldFolder, name: string): Promise<FileHandle> {
  return open(at(name), FLAGS.create, 0o644)
}

/** The kind of thing that stands at a path, in words; null: a regular file. */
export function describeKind(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'A folder'
  if (stats.isFIFO()) return 'A named pipe'
  if (stats.isSocket()) return 'A socket'
  return stats.isSymbolicLink() ? 'A link' : 'A device'
}

function refuseUnlessFile(stats: Stats, path: string): void {
  const kind = describeKind(stats)
  if (kind !== null) throw new Error(`${kind}, not a file: ${path}`)
}

/** Links may have been changed between looking and opening: the handle must be that of the path that was looked at. */
async function refuseUnlessAt(handle: FileHandle, real: string, path: string): Promise<void> {
  if (!(await isAt(handle, real))) throw new Error(`Something else was put there while it was opened: ${path}`)
}

async function isAt(handle: FileHandle, real: string): Promise<boolean> {
  const place = process.platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null) : null
  if (place !== null) return isSamePath(place, real)
  const [opened, there] = await Promise.all([handle.stat(), lstat(real)])
  return opened.dev === there.dev && opened.ino === there.ino
}
