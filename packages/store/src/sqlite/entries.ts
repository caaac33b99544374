import type { Append, Entries, EntryRange } from '../port/entries.ts'
import { checkAppend } from '../records/check-append.ts'
import { findTitle, titleOf } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import type { Database } from './database/database.ts'
import { PLACES_PER_SESSION, placeOf } from './database/place.ts'
import { prepareSettle } from './inbox.ts'
import type { MessageIndex } from './message-index.ts'
import { prepareInsertEntries, readEntryRow, writeEntries } from './rows/entry-rows.ts'
import type { EntryRow, WrittenEntry } from './rows/entry-rows.ts'
import { prepareMoveSession } from './rows/move-session.ts'
import { createSessionKeys } from './rows/session-keys.ts'
import { prepareSetTitle } from './rows/session-rows.ts'

export function createSqliteEntries(db: Database, index: MessageIndex): Entries {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const append = prepareAppend(db)
  const selectRange = 'SELECT place, entry FROM entries WHERE place BETWEEN ? AND ? ORDER BY place'
  const fromStart = connection.prepare(`${selectRange} LIMIT ?`)
  const fromEnd = connection.prepare(`${selectRange} DESC LIMIT ?`)
  const at = connection.prepare('SELECT place, entry FROM entries WHERE place = ?')
  const named = connection.prepare('SELECT place, entry FROM entries WHERE session_key = ? AND id = ?')

  return {
    async append(given) {
      checkAppend(given)
      const written = writeEntries(given.entries)
      const work = (): void => append(given, written)
      await (given.isKeptElsewhere === true ? db.writeUnsynced(work) : db.write(work))
      const { sessionId } = given.lease
      if (written.length > 0) db.changes.notify({ sessionId, what: 'entries' })
      index.feedSoon()
      if ((given.settles ?? []).length > 0) db.changes.notify({ sessionId, what: 'inbox' })
    },
    read: (sessionId, range) =>
      db.read(() => {
        const key = keys.find(sessionId)
        if (key === null) return []
        const { from, to, limit } = readRange(range)
        const statement = range.fromEnd === true ? fromEnd : fromStart
        const rows = statement.all(placeOf(key, from), placeOf(key, to), limit) as unknown as EntryRow[]
        if (range.fromEnd === true) rows.reverse()
        return rows.map((row) => readEntryRow(row, sessionId))
      }),
    readAt: (sessionId, seqs) =>
      db.read(() => {
        const key = keys.find(sessionId)
        if (key === null) return []
        const wanted = [...new Set(seqs)].filter((seq) => seq > 0 && seq < PLACES_PER_SESSION)
        const rows = wanted.toSorted((first, second) => first - second).map((seq) => at.get(placeOf(key, seq)))
        return rows.flatMap((row) => (row === undefined ? [] : [readEntryRow(row as unknown as EntryRow, sessionId)]))
      }),
    find: (sessionId, entryId) =>
      db.read(() => {
        const row = named.get(keys.find(sessionId), entryId) as EntryRow | undefined
        return row === undefined ? null : readEntryRow(row, sessionId)
      }),
  }
}

/** Checks and writes in one transaction: whoever has lost the session cannot write between the two. */
function prepareAppend({ connection, clock }: Database): (append: Append, written: readonly WrittenEntry[]) => void {
  const move = prepareMoveSession(connection)
  const insert = prepareInsertEntries(connection)
  const setTitle = prepareSetTitle(connection)
  const settle = prepareSettle(connection)

  return (append, written) => {
    const { entries, head, settles } = append
    const key = move(append)
    insert(key, written)
    if (findTitle(entries) !== undefined) setTitle(key, titleOf({}, head), head.lastSeq)
    if (settles !== undefined) settle(key, settles, clock())
  }
}

function readRange({ from = 1, to = PLACES_PER_SESSION, limit }: EntryRange): {
  readonly from: number
  readonly to: number
  readonly limit: number
} {
  return {
    from: Math.min(Math.max(1, Math.ceil(from)), PLACES_PER_SESSION),
    to: Math.min(Math.max(0, Math.floor(to)), PLACES_PER_SESSION - 1),
    // What SQLite takes for no limit.
    limit: limit === undefined ? -1 : clampLimit(limit),
  }
}
