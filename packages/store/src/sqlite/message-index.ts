import { isSearchable, searchableText, splitWords } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database/database.ts'
import { PLACES_PER_SESSION, placeOf, seqAt } from './database/place.ts'
import { readSoundEntryRow } from './rows/entry-rows.ts'
import type { EntryRow } from './rows/entry-rows.ts'

/**
 * The words of messages and titles, by place. They are taken up in batches, a moment after they were stored or before the
 * next search, because that is many times cheaper than one by one; what waits is on disk, and any process may take it up.
 */
export interface MessageIndex {
  /** Takes up all that waits, or all that waits of one session. */
  feed(wishes?: FeedWishes): Promise<void>
  /** Sees to it that what waits is taken up before long. */
  feedSoon(): void
  rebuild(signal?: AbortSignal): Promise<number>
  /** Rewrites the index without the words of what was deleted from it. */
  dropDeleted(): Promise<void>
  stop(): void
}

interface FeedWishes {
  /** Words of other sessions may wait: a search in one session is not held up by what another has stored. */
  readonly sessionKey?: number
  readonly signal?: AbortSignal | undefined
  /** Nobody waits for it: whatever else this process does goes first. */
  readonly isUnhurried?: boolean
}

/** When nothing was stored for so long, or at the latest after this time, words are taken up without being asked for. */
const FEED_AFTER_MS = 1_000
const FEED_WITHIN_MS = 15_000
/** What one transaction takes: enough to be cheap, and not so much that everything else has to wait. */
const FEED_MS_AT_ONCE = 20
const MERGE_PAGES_AT_ONCE = 64

export function createMessageIndex(db: Database): MessageIndex {
  const { connection } = db
  const feedSome = prepareFeed(connection)
  const waits = connection.prepare('SELECT 1 FROM search_pending WHERE ?1 IS NULL OR session_key = ?1 LIMIT 1')
  const clear = connection.prepare(`INSERT INTO message_words (message_words) VALUES ('delete-all')`)
  const noteAll = connection.prepare(
    'INSERT OR REPLACE INTO search_pending (session_key, from_seq, is_title_due) SELECT key, 1, 1 FROM sessions',
  )
  const count = connection.prepare('SELECT count(*) AS n FROM message_words_docsize WHERE id & 268435455 > 0')
  const mergeSome = prepareMerge(connection)
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0
  let latestAt = 0
  let isStopped = false

  async function feed({ sessionKey, signal, isUnhurried = false }: FeedWishes = {}): Promise<void> {
    const only = sessionKey ?? null
    while (await db.read(() => waits.get(only) !== undefined)) {
      signal?.throwIfAborted()
      await db.writeUnsynced(() => feedSome(only))
      if (isUnhurried) await pause(FEED_MS_AT_ONCE, undefined, { ref: false })
    }
  }

  function feedWhenDue(): void {
    const leftMs = Math.min(dueAt, latestAt) - performance.now()
    timer = leftMs > 0 ? setTimeout(feedWhenDue, leftMs).unref() : undefined
    // A search will try again, and say why it cannot be done.
    if (timer === undefined) feed({ isUnhurried: true }).catch(() => {})
  }

  return {
    feed,
    // Every append calls it: the timer finds out by itself that something was stored meanwhile.
    feedSoon() {
      const now = performance.now()
      dueAt = now + FEED_AFTER_MS
      if (isStopped || timer !== undefined) return
      latestAt = now + FEED_WITHIN_MS
      timer = setTimeout(feedWhenDue, FEED_AFTER_MS).unref()
    },
    async rebuild(signal) {
      db.checkOpen()
      signal?.throwIfAborted()
      await db.write(() => {
        clear.run()
        noteAll.run()
      })
      await feed({ signal })
      return db.read(() => Number(count.get()?.['n']))
    },
    async dropDeleted() {
      // Others may add to the index meanwhile: it is done when a fresh start finds nothing to do.
      while (await db.writeUnsynced(() => mergeSome(-MERGE_PAGES_AT_ONCE))) {
        while (await db.writeUnsynced(() => mergeSome(MERGE_PAGES_AT_ONCE))) continue
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

interface PendingRow {
  readonly session_key: number
  readonly from_seq: number
  readonly is_title_due: number
}

function prepareFeed(connection: DatabaseSync): (sessionKey: number | null) => void {
  const nextSession = connection.prepare(
    'SELECT session_key, from_seq, is_title_due FROM search_pending WHERE ?1 IS NULL OR session_key = ?1 LIMIT 1',
  )
  const title = connection.prepare('SELECT title FROM sessions WHERE key = ?')
  const messages = connection.prepare(
    `SELECT place, entry FROM entries WHERE place >= ? AND place < ? AND type = 'message' ORDER BY place`,
  )
  const put = connection.prepare('INSERT OR REPLACE INTO message_words (rowid, words) VALUES (?, ?)')
  const remove = connection.prepare('DELETE FROM message_words WHERE rowid = ?')
  const goOn = connection.prepare('UPDATE search_pending SET from_seq = ?, is_title_due = 0 WHERE session_key = ?')
  const done = connection.prepare('DELETE FROM search_pending WHERE session_key = ?')

  function index(place: number, text: string | null): void {
    if (text === null) remove.run(place)
    else put.run(place, splitWords(text).join(' '))
  }

  /** Returns where to go on; null when all of the session is indexed. */
  function feedSession({ session_key: key, from_seq: from, is_title_due: isTitleDue }: PendingRow, until: number) {
    if (isTitleDue === 1) index(placeOf(key, 0), (title.get(key)?.['title'] ?? null) as string | null)
    const rows = messages.iterate(placeOf(key, from), placeOf(key, PLACES_PER_SESSION))
    for (const row of rows as unknown as Iterable<EntryRow>) {
      index(row.place, messageText(row))
      if (performance.now() > until) return seqAt(row.place) + 1
    }
    return null
  }

  return (sessionKey) => {
    const until = performance.now() + FEED_MS_AT_ONCE
    while (performance.now() < until) {
      const row = nextSession.get(sessionKey) as PendingRow | undefined
      if (row === undefined) return
      const next = feedSession(row, until)
      if (next === null) done.run(row.session_key)
      else goOn.run(next, row.session_key)
    }
  }
}

/** null: nothing in it can be searched for. */
function messageText(row: EntryRow): string | null {
  const entry = readSoundEntryRow(row, 'unknown')
  return entry !== null && isSearchable(entry) ? searchableText(entry) : null
}

/** FTS5 merges its parts page by page; a negative number begins to merge all of them into one. Says if there was work. */
function prepareMerge(connection: DatabaseSync): (pages: number) => boolean {
  const merge = connection.prepare(`INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)`)
  const changes = connection.prepare('SELECT total_changes() AS n')
  const countChanges = () => Number(changes.get()?.['n'])
  return (pages) => {
    const before = countChanges()
    merge.run(pages)
    return countChanges() - before > 1
  }
}
