import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

const WAIT_MS = 2_000

/**
 * Opens an agent's database for reading, and closes it afterwards. Where nobody writes to it, nothing beside the file is
 * touched or made.
 */
export function withDatabase<T>(file: string, read: (database: DatabaseSync) => T): T {
  const address = pathToFileURL(file)
  if (!hasLog(file)) address.searchParams.set('immutable', '1')
  const database = new DatabaseSync(address, { readOnly: true, timeout: WAIT_MS })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Changes that are not in the file yet: it can only be read together with them. */
function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}
