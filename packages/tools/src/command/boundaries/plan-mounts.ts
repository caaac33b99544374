import { realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'

export interface Mount {
  readonly path: string
  readonly how: 'hide-folder' | 'hide-file' | 'read' | 'write'
}

export interface MountWishes {
  readonly hidden: readonly string[]
  readonly readable?: readonly string[]
  readonly writable: readonly string[]
}

/**
 * What is hidden and what is shown, outer folders first, so that a workspace inside a hidden folder is seen and a hidden
 * folder inside the workspace is not. What must be written is never hidden itself. Paths that are not there are left out.
 */
export function planMounts({ hidden, readable = [], writable }: MountWishes): readonly Mount[] {
  const writes = resolveAll(writable).map(({ path }): Mount => ({ path, how: 'write' }))
  const reads = resolveAll(readable).map(({ path }): Mount => ({ path, how: 'read' }))
  const hides = resolveAll(hidden).map(({ path, isFolder }): Mount => ({
    path,
    how: isFolder ? 'hide-folder' : 'hide-file',
  }))
  const byPath = new Map([...hides, ...reads, ...writes].map((mount) => [mount.path, mount]))
  const sorted = [...byPath.values()].toSorted((a, b) => depthOf(a.path) - depthOf(b.path))
  // Inside a hidden folder there is nothing left to hide.
  return sorted.filter((mount) => !(mount.how.startsWith('hide') && isHiddenBy(mount, sorted)))
}

function isHiddenBy({ path }: Mount, mounts: readonly Mount[]): boolean {
  const around = mounts.filter((each) => each.path !== path && isInside(path, each.path))
  return around.at(-1)?.how === 'hide-folder'
}

/** Whether a path lies in a folder, or is the folder. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== '').length
}

/** Mounts stand on real paths: a link would be followed, and its target stay in view under its own name. */
function resolveAll(paths: readonly string[]): readonly { readonly path: string; readonly isFolder: boolean }[] {
  return paths.flatMap((path) => {
    try {
      const real = realpathSync(path)
      return [{ path: real, isFolder: statSync(real).isDirectory() }]
    } catch {
      return []
    }
  })
}
