import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../store-error.ts'
import { openDriver } from './driver.ts'

/**
 * What acknowledged means is decided here: a commit returns when its bytes are on disk (WAL, FULL; on macOS that takes
 * `fullfsync`). Deleted content is overwritten. The log is cut back to 64 MB when a checkpoint has emptied it. Nobody
 * waits inside SQLite for a lock: that would stop the whole process, so callers try again by themselves. A checkpoint stops
 * it for some milliseconds, mostly to sync: every 16 MB of log instead of every 4 there are a quarter as many.
 */
const PRAGMAS = `
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 4096;
`

export function openConnection(file: string): DatabaseSync {
  const connection = openDriver(file, { timeout: 0 })
  try {
    const { journal_mode: mode } = connection.prepare('PRAGMA journal_mode = WAL').get() ?? {}
    if (mode !== 'wal') {
      throw new StoreError('unavailable', `The disk of ${file} cannot be shared by processes. Keep it on a local disk.`)
    }
    connection.exec(PRAGMAS)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
