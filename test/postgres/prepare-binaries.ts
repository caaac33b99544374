import { spawnSync } from 'node:child_process'
import { chmodSync, constants, cpSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Binaries } from './find-binaries.ts'
import type { ServerUser } from './server-user.ts'

/**
 * Returns a folder whose `postgres` runs as that user, or throws with the reason. The files stay where they are if they
 * can; they are copied into `folder` where links cannot be made beside them or the user cannot get at them.
 */
export function prepareBinaries(
  { folder: found, packageFolder }: Binaries,
  user: ServerUser | null,
  folder: string,
): string {
  const problem = (packageFolder === undefined ? null : addLinks(packageFolder)) ?? tryOut(found, user)
  if (problem === null) return found
  if (packageFolder === undefined) throw new Error(problem)
  const copy = join(folder, 'postgresql')
  cpSync(join(packageFolder, 'native'), join(copy, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
  chmodSync(copy, 0o755)
  const copied = join(copy, 'native', 'bin')
  const left = addLinks(copy) ?? tryOut(copied, user)
  if (left !== null) throw new Error(left)
  return copied
}

/**
 * npm packs no links, so the package lists them for an install script, which we do not run. Making one is atomic, and one
 * that is there already stays: several test runs may do this at once.
 */
function addLinks(packageFolder: string): string | null {
  try {
    const list: unknown = JSON.parse(readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8'))
    for (const link of Array.isArray(list) ? (list as unknown[]) : []) addLink(packageFolder, link)
    return null
  } catch (error) {
    return String(error)
  }
}

function addLink(packageFolder: string, link: unknown): void {
  if (typeof link !== 'object' || link === null || !('source' in link) || !('target' in link)) return
  const source = resolve(packageFolder, String(link.source))
  const target = resolve(packageFolder, String(link.target))
  if (![source, target].every((path) => path.startsWith(packageFolder + sep))) {
    throw new Error(`The list of links leaves its package: ${target}`)
  }
  try {
    symlinkSync(relative(dirname(target), source), target)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function tryOut(folder: string, user: ServerUser | null): string | null {
  const { status, error, stderr } = spawnSync(join(folder, 'postgres'), ['--version'], {
    encoding: 'utf8',
    timeout: 20_000,
    cwd: '/',
    ...user,
  })
  if (status === 0) return null
  return `${join(folder, 'postgres')} does not run: ${error?.message ?? stderr.trim()}`
}
