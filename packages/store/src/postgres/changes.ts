import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { createWatchers } from '../follow/watchers.ts'
import type { Change, Store } from '../port/store.ts'
import type { Database } from './database/database.ts'
import { createListener } from './database/listener.ts'

export interface Changes extends Pick<Store, 'watch'> {
  /** Tells this process at once and others soon. Called when the change is committed. */
  emit(change: Change): void
  close(): Promise<void>
}

/** Ten times as often as anybody notices; under load, hundreds of changes share one transaction. */
const SEND_EVERY_MS = 25

/**
 * A notice is sent after the commit it tells of, in a transaction of its own: PostgreSQL lets transactions with notices
 * commit only one after another, and appends must not wait in that line. If a process dies in between, the others find
 * the change by themselves a second later.
 */
export function createPostgresChanges(database: Database, listenConfig: ClientConfig): Changes {
  const watchers = createWatchers()
  const origin = randomUUID()
  const channel = `longhaul_${database.schema}`
  const waiting = new Set<string>()
  let sending: Promise<void> | null = null
  const closing = new AbortController()

  const listener = createListener({
    database,
    config: listenConfig,
    channel,
    onNotice(notice) {
      const change = readNotice(notice, origin)
      if (change !== null) watchers.tell(change)
    },
    onGap: () => watchers.tell({ sessionId: null, what: 'any' }),
  })

  /** The first goes at once; what comes soon after it goes together. */
  const send = async (): Promise<void> => {
    while (waiting.size > 0) {
      const notices = [...waiting]
      waiting.clear()
      await database
        .write(`select pg_notify($1, $2 || notice) from unnest($3::text[]) notice`, [channel, `${origin} `, notices])
        .catch(() => [])
      await wait(SEND_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
    sending = null
  }

  return {
    emit(change) {
      watchers.tell(change)
      waiting.add(`${change.what} ${change.sessionId ?? ''}`)
      if (!closing.signal.aborted) sending ??= send()
    },
    watch(callback, sessionId) {
      const stopWatching = watchers.watch(callback, sessionId)
      if (!closing.signal.aborted) listener.start()
      return () => {
        stopWatching()
        if (watchers.isEmpty()) void listener.stop()
      }
    },
    async close() {
      closing.abort()
      watchers.clear()
      await listener.stop()
      await sending
    },
  }
}

/** `origin what sessionId`; null for a change of our own, which was told at once, and for what we cannot read. */
function readNotice(notice: string, origin: string): Change | null {
  const match = /^(\S+) (entries|inbox|events|any) (.*)$/s.exec(notice)
  if (match === null || match[1] === origin) return null
  return { what: match[2] as Change['what'], sessionId: match[3] === '' ? null : (match[3] ?? null) }
}
