import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'
import { isSearchable, searchableText } from '../words/message-text.ts'
import { splitWords } from '../words/split-words.ts'
import type { Database } from './database/database.ts'
import { keyAt, seqAt } from './database/place.ts'
import { readEntryRow } from './rows/entry-rows.ts'
import type { EntryRow } from './rows/entry-rows.ts'

/**
 * The words of messages and titles, by place. They are taken up in batches, a moment after they were stored or before the
 * next search, because that is many times cheaper than one by one; what waits is on disk, and any process may take it up.
 */
export interface MessageIndex {
  /** Takes up all that waits. */
  feed(signal?: AbortSignal): Promise<void>
  /** Sees to it that what waits is taken up before long. */
  feedSoon(): void
  rebuild(signal?: AbortSignal): Promise<number>
  /** Rewrites the index without the words of what was deleted from it. */
  dropDeleted(): Promise<void>
  stop(): void
}

const FEED_AFTER_MS = 1_000
/** What is done in one transaction: enough to be cheap, and not so much that everything else has to wait. */
const FEED_AT_ONCE = 200
const FEED_MS_AT_ONCE = 20
const MERGE_PAGES_AT_ONCE = 64

export function createMessageIndex(db: Database): MessageIndex {
  const { connection } = db
  const feedSome = prepareFeed(connection)
  const waits = connection.prepare('SELECT 1 FROM search_pending LIMIT 1')
  const clear = connection.prepare(`INSERT INTO message_words (message_words) VALUES ('delete-all')`)
  const noteMessages = connection.prepare(
    `INSERT OR IGNORE INTO search_pending (place)
     SELECT place FROM entries WHERE type = 'message' AND session_key IN (SELECT key FROM sessions)`,
  )
  const noteTitles = connection.prepare(
    'INSERT OR IGNORE INTO search_pending (place) SELECT key << 28 FROM sessions WHERE title IS NOT NULL',
  )
  const count = connection.prepare('SELECT count(*) AS n FROM message_words_docsize WHERE id & 268435455 > 0')
  const mergeSome = prepareMerge(connection)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function feed(signal?: AbortSignal): Promise<void> {
    while (await db.read(() => waits.get() !== undefined)) {
      signal?.throwIfAborted()
      await db.writeUnsynced(feedSome)
    }
  }

  return {
    feed,
    feedSoon() {
      if (timer !== undefined || isStopped) return
      timer = setTimeout(() => {
        timer = undefined
        // A search will try again, and say why it cannot be done.
        feed().catch(() => {})
      }, FEED_AFTER_MS).unref()
    },
    async rebuild(signal) {
      db.checkOpen()
      signal?.throwIfAborted()
      await db.write(() => {
        clear.run()
        noteMessages.run()
        noteTitles.run()
      })
      await feed(signal)
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

function prepareFeed(connection: DatabaseSync): () => void {
  const waiting = connection.prepare(`SELECT place FROM search_pending ORDER BY place LIMIT ${FEED_AT_ONCE}`)
  const message = connection.prepare('SELECT place, entry FROM entries WHERE place = ?')
  const title = connection.prepare('SELECT title FROM sessions WHERE key = ?')
  const put = connection.prepare('INSERT OR REPLACE INTO message_words (rowid, words) VALUES (?, ?)')
  const remove = connection.prepare('DELETE FROM message_words WHERE rowid = ?')
  const done = connection.prepare('DELETE FROM search_pending WHERE place = ?')

  function textAt(place: number): string | null {
    if (seqAt(place) > 0) return messageText(message.get(place) as EntryRow | undefined)
    const row = title.get(keyAt(place)) as { readonly title: string | null } | undefined
    return row?.title ?? null
  }

  return () => {
    const startedAt = performance.now()
    for (const { place } of waiting.all() as unknown as Pick<EntryRow, 'place'>[]) {
      const text = textAt(place)
      if (text === null) remove.run(place)
      else put.run(place, splitWords(text).join(' '))
      done.run(place)
      if (performance.now() - startedAt > FEED_MS_AT_ONCE) return
    }
  }
}

/** null: nothing in it can be searched for, or it is damaged; that is for others to report. */
function messageText(row: EntryRow | undefined): string | null {
  if (row === undefined) return null
  try {
    const entry = readEntryRow(row, 'unknown')
    return isSearchable(entry) ? searchableText(entry) : null
  } catch (error) {
    if (error instanceof StoreError) return null
    throw error
  }
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
