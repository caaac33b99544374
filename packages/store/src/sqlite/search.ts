import type { Phrase } from '@longhaul/engine/advanced'
import { makeSnippet, readQuery, searchableText } from '@longhaul/engine/advanced'
import type { Search, SearchHit } from '../port/search.ts'
import { clampLimit } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { PLACES_PER_SESSION, placeOf } from './database/place.ts'
import type { MessageIndex } from './message-index.ts'
import { readSoundEntryRow } from './rows/entry-rows.ts'
import type { EntryRow } from './rows/entry-rows.ts'
import { createSessionKeys } from './rows/session-keys.ts'

interface HitRow extends EntryRow {
  readonly session_id: string
  readonly score: number
}

export function createSqliteSearch(db: Database, index: MessageIndex): Search {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const select = (where: string) =>
    connection.prepare(
      `SELECT sessions.id AS session_id, place, entry, -rank AS score FROM message_words
       CROSS JOIN entries ON place = message_words.rowid CROSS JOIN sessions ON key = session_key
       WHERE message_words MATCH ? AND ${where} ORDER BY rank LIMIT ?`,
    )
  const inAll = select('deleted_at IS NULL AND seq < ?')
  const inSession = select('message_words.rowid > ? AND message_words.rowid < ?')

  return {
    async search({ query, sessionId, before = PLACES_PER_SESSION, limit }) {
      const key = sessionId === undefined ? undefined : await db.read(() => keys.find(sessionId))
      if (key === null) return []
      await feedIfPossible(index, key)
      return db.read(() => {
        const phrases = readQuery(query)
        const words = toMatch(phrases)
        if (words === null) return []
        const most = clampLimit(limit)
        if (key === undefined) return readHits(inAll.all(words, before, most), phrases)
        const range = [placeOf(key, 0), placeOf(key, Math.min(before, PLACES_PER_SESSION))]
        return readHits(inSession.all(words, ...range, most), phrases)
      })
    },
    rebuild: (signal) => index.rebuild(signal),
  }
}

/** A full or locked disk keeps new messages out of the index; what is in it can be found all the same. */
export async function feedIfPossible(index: MessageIndex, sessionKey?: number): Promise<void> {
  try {
    await index.feed(sessionKey === undefined ? {} : { sessionKey })
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error
  }
}

/** Any of the phrases. They hold letters and digits only, so that nothing in them means something to FTS5. */
export function toMatch(phrases: readonly Phrase[]): string | null {
  return phrases.length === 0 ? null : phrases.map((phrase) => `"${phrase.join(' ')}"`).join(' OR ')
}

function readHits(rows: readonly unknown[], phrases: readonly Phrase[]): readonly SearchHit[] {
  return (rows as readonly HitRow[]).flatMap((row) => {
    const entry = readSoundEntryRow(row, row.session_id)
    if (entry?.type !== 'message') return []
    const { id: entryId, seq, at, role } = entry
    const snippet = makeSnippet(searchableText(entry), phrases)
    return [{ sessionId: row.session_id, entryId, seq, at, role, snippet, score: row.score }]
  })
}
