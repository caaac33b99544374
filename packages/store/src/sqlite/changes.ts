import type { DatabaseSync } from 'node:sqlite'
import { createWatchers } from '../follow/watchers.ts'
import type { Change, Store } from '../port/store.ts'

export interface SqliteChanges extends Pick<Store, 'watch'> {
  /** Tells of a change that is stored. */
  notify(change: Change): void
  stop(): void
}

/** How long a change by another process may go unnoticed. */
const POLL_MS = 100

/**
 * Changes of this process are told at once. That another one has written shows in SQLite's `data_version`, which costs a
 * look at shared memory; it is looked at only while somebody listens.
 */
export function createSqliteChanges(connection: DatabaseSync): SqliteChanges {
  const watchers = createWatchers()
  const dataVersion = connection.prepare('PRAGMA data_version')
  let timer: NodeJS.Timeout | undefined
  let seen = 0
  let isClosed = false

  function readDataVersion(): number {
    return Number(dataVersion.get()?.['data_version'])
  }

  function poll(): void {
    try {
      const now = readDataVersion()
      if (now === seen) return
      seen = now
    } catch {
      // Whatever it is, calls will say so. A listener that looks for nothing does no harm.
    }
    watchers.tell({ sessionId: null, what: 'any' })
  }

  function stopPolling(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    notify: (change) => watchers.tell(change),
    watch(listener, sessionId) {
      const stopWatching = watchers.watch(listener, sessionId)
      if (timer === undefined && !isClosed) {
        seen = readDataVersion()
        timer = setInterval(poll, POLL_MS).unref()
      }
      return () => {
        stopWatching()
        if (watchers.isEmpty()) stopPolling()
      }
    },
    stop() {
      isClosed = true
      watchers.clear()
      stopPolling()
    },
  }
}
