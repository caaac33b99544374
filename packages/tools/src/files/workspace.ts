import type { Stats } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/**
 * A folder whose files are opened by Longhaul: for the file tools, for memory, and for the files of system prompts.
 * Every path goes through `find` first; what it returns is opened by `open-place.ts` and by nothing else.
 */
export interface Workspace {
  readonly folder: string
  /** Whether a path lies in the folder by its words alone. */
  readonly holds: (path: string) => boolean
  /** Follows a path through its links. Rejects for a link that leads nowhere: writing would follow it to a new file. */
  readonly find: (path: string) => Promise<Place>
}

/** A path, followed through its links, and what stood there when it was looked at. */
export interface Place {
  /** The path as it was asked for. */
  readonly path: string
  /** The absolute path behind all links. */
  readonly real: string
  /** How `real` is shown: relative to the folder, or absolute outside of it. */
  readonly shown: string
  /** It lies in the folder by its words. */
  readonly isInside: boolean
  /** It lies in the folder by its words, but a link on the way leads out of it. */
  readonly leadsOut: boolean
  /** A link stands on the way, wherever it leads. */
  readonly isLinked: boolean
  /** null: nothing stands there yet. */
  readonly stats: Stats | null
}

/** No file system that Longhaul runs on takes more; each name of a longer one would be looked at in vain. */
const MAX_PATH_CHARS = 4_096

/**
 * ```ts
 * const workspace = createWorkspace('/srv/project')
 * const text = await readInside(workspace, 'AGENTS.md', 20_000) // null: not there; rejects if it leads out
 * ```
 */
export function createWorkspace(folder: string): Workspace {
  const root = resolve(folder)
  const toAbsolute = (path: string): string => resolve(root, path)
  const holds = (path: string): boolean => isBelow(root, toAbsolute(path))
  return {
    folder: root,
    holds,
    async find(path) {
      if (path.includes('\0')) throw new Error('A path cannot hold a NUL character.')
      if (path.length > MAX_PATH_CHARS) throw new Error('The path is too long.')
      const absolute = toAbsolute(path)
      const isInside = isBelow(root, absolute)
      const [realRoot, real] = await Promise.all([followLinks(root, folder), followLinks(absolute, path)])
      const isReallyInside = isBelow(realRoot, real)
      const plain = isInside ? join(realRoot, relative(root, absolute)) : absolute
      return {
        path,
        real,
        shown: isReallyInside ? relative(realRoot, real) || '.' : real,
        isInside,
        leadsOut: isInside && !isReallyInside,
        isLinked: !isSamePath(real, plain),
        stats: await lookAt(real),
      }
    },
  }
}

/** Whether a path is the folder itself or lies below it. Both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Some file systems give a name back in another case than it was asked for. */
export function isSamePath(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}

/** Follows the links of that part of a path which is there already; the rest is added as it is. */
async function followLinks(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const stats = await lstat(path).catch(() => null)
    if (stats?.isSymbolicLink() === true) throw new Error(`${shown} is a link that leads nowhere.`, { cause: error })
    const parent = dirname(path)
    if (parent === path) return path
    return join(await followLinks(parent, shown), relative(parent, path))
  }
}

async function lookAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Whether an error of the file system says that nothing stands at a path. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
