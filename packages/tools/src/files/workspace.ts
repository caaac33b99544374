import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** The folder that file tools work in. */
export interface Workspace {
  readonly folder: string
  /** As given or as the model wrote it, to an absolute path; not checked. */
  resolve(path: string): string
  /** By the words of the path alone: for deciding whether to ask. */
  holds(path: string): boolean
  /**
   * The real path behind links, checked again right before use: a link inside the workspace must not lead out of it.
   * Rejects if it does, unless the way out was allowed by a person.
   */
  locate(path: string, options: { readonly mayLeave: boolean }): Promise<string>
  /** How a path is shown: relative inside, absolute outside. */
  show(path: string): string
}

export function createWorkspace(folder: string): Workspace {
  const root = resolve(folder)
  const toAbsolute = (path: string): string => resolve(root, path)
  const holds = (path: string): boolean => isInside(root, toAbsolute(path))
  return {
    folder: root,
    resolve: toAbsolute,
    holds,
    async locate(path, { mayLeave }) {
      if (path.includes('\0')) throw new Error('A path cannot hold a NUL character.')
      const real = await realPathOf(toAbsolute(path))
      if (!mayLeave && !isInside(await realPathOf(root), real)) {
        throw new Error(`${path} leads out of the workspace.`)
      }
      return real
    },
    show: (path) => (isInside(root, path) ? relative(root, path) || '.' : path),
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** Of a path that may not exist yet: the part that does is followed through its links. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // A link to nowhere would be followed when the file is made.
    if (await isLink(path)) throw new Error(`${path} is a link that leads nowhere.`, { cause: error })
    const parent = dirname(path)
    if (parent === path) return path
    return join(await realPathOf(parent), relative(parent, path))
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}
