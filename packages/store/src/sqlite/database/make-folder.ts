import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, for this user alone; returns those it made, outermost first. Node's own recursive
 * `mkdir` never comes to an end where a file system says of an existing folder that it is not there, as /proc does.
 */
export function makeFolder(folder: string): readonly string[] {
  const missing: string[] = []
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.unshift(path)
  return missing.filter(makeOne)
}

/** Another process may have made it meanwhile. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
