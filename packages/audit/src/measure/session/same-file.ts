/** Paths compared per name; a project with more files of one name tells them apart by whole paths only. */
const MAX_COMPARED = 20

/** Answers one path for all ways in which a session names a file: `src/a.ts` and `/srv/app/src/a.ts` are the same. */
export function createPathResolver(): (path: string) => string {
  const byName = new Map<string, string[]>()
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const known = byName.get(name) ?? []
    const same = known.find((other) => isSameFile(path, other))
    if (same !== undefined) return same
    if (known.length < MAX_COMPARED) byName.set(name, [...known, path])
    return path
  }
}

function isSameFile(path: string, other: string): boolean {
  if (path === other) return true
  const [short, long] = path.length < other.length ? [path, other] : [other, path]
  return !isWhole(short) && isWhole(long) && short.includes('/') && long.endsWith(`/${short}`)
}

/** From the root, from home, or from a drive. */
function isWhole(path: string): boolean {
  return /^(?:[/~]|[a-z]:)/i.test(path)
}
