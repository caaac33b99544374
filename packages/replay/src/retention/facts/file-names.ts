/** Tells which spelling of a path means which file: the same file is written in full, from some folder, or by its name alone. */
export interface FileNames {
  /** The fullest spelling; null where a bare name could be several files. */
  resolve(path: string): string | null
  /** Others have the same base name, so that it alone does not say which one is meant. */
  isShared(path: string): boolean
}

export function createFileNames(paths: Iterable<string>, said: Iterable<string>): FileNames {
  const byName = new Map<string, string[]>()
  for (const path of new Set([...paths].map((spelling) => spelling.toLowerCase()))) {
    const name = baseName(path)
    byName.set(name, [...(byName.get(name) ?? []), path])
  }
  const memo = new Map<string, string | null>()
  const resolve = (spelling: string): string | null => {
    const path = spelling.toLowerCase()
    const known = memo.get(path)
    if (known !== undefined) return known
    const resolved = findFullest(path, byName.get(baseName(path)) ?? [path])
    memo.set(path, resolved)
    return resolved
  }
  const owners = new Map<string, Set<string>>()
  for (const path of said) {
    const resolved = resolve(path)
    if (resolved === null) continue
    const name = baseName(resolved)
    owners.set(name, (owners.get(name) ?? new Set()).add(resolved))
  }
  return { resolve, isShared: (path) => (owners.get(baseName(path.toLowerCase()))?.size ?? 0) > 1 }
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A path without its front is the end of a longer one. Several longer ones: only a bare name is left unresolved. */
function findFullest(path: string, candidates: readonly string[]): string | null {
  const end = path.startsWith('/') ? path : `/${path}`
  const longer = candidates.filter((candidate) => candidate !== path && candidate.endsWith(end))
  // Those that are themselves ends of others do not compete.
  const fullest = longer.filter((candidate) => !longer.some((other) => other.endsWith(`/${candidate}`)))
  if (fullest.length > 1 && !path.includes('/')) return null
  return fullest[0] ?? path
}
