import { isBelow } from './workspace.ts'
import type { Place, Workspace } from './workspace.ts'

/** A file or folder of this installation, wherever its configuration puts it, that no tool writes unasked. */
export interface GuardedPath {
  /** Absolute. */
  readonly path: string
  /** A sentence for the person who is asked. */
  readonly reason: string
  /** It is not read unasked either: it holds keys, or what was said in other conversations. */
  readonly isPrivate?: boolean
}

/** Why a person is asked before a place is used; null: it is none of these paths, and lies in none. */
export async function findGuarded(
  workspace: Workspace,
  guarded: readonly GuardedPath[],
  { real }: Pick<Place, 'real'>,
): Promise<string | null> {
  for (const { path, reason } of guarded) {
    if ((await listNames(workspace, path)).some((name) => isBelow(name, real))) return reason
  }
  return null
}

/** The private paths that a walk through a folder passes over: those which do not hold the folder itself. */
export async function findPassedOver(
  workspace: Workspace,
  guarded: readonly GuardedPath[],
  { real }: Pick<Place, 'real'>,
): Promise<ReadonlySet<string>> {
  const names = await Promise.all(keepPrivate(guarded).map(({ path }) => listNames(workspace, path)))
  return new Set(names.flat().filter((name) => !isBelow(name, real)))
}

export function keepPrivate(guarded: readonly GuardedPath[]): readonly GuardedPath[] {
  return guarded.filter(({ isPrivate }) => isPrivate === true)
}

/** As it was configured, and behind its links. */
async function listNames(workspace: Workspace, path: string): Promise<readonly string[]> {
  const own = await workspace.find(path).catch(() => null)
  return own === null ? [path] : [path, own.real]
}
