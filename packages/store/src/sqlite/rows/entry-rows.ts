import type { Entry } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import { parseEntry, writeEntry } from '../../records/entry-text.ts'
import { StoreError } from '../../store-error.ts'
import { PLACES_PER_SESSION, placeOf, seqAt } from '../database/place.ts'

export interface EntryRow {
  readonly place: number
  readonly entry: string
}

export function readEntryRow({ place, entry }: EntryRow, sessionId: string): Entry {
  return parseEntry(entry, sessionId, seqAt(place))
}

/** null where it is damaged: one bad row must not keep the others from being found. Checks report it. */
export function readSoundEntryRow(row: EntryRow, sessionId: string): Entry | null {
  try {
    return readEntryRow(row, sessionId)
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return null
    throw error
  }
}

/** An entry as it will be stored. Written before its turn comes, so that nothing the caller does later changes it. */
export interface WrittenEntry {
  readonly seq: number
  readonly id: string
  readonly type: Entry['type']
  readonly text: string
}

export function writeEntries(entries: readonly Entry[]): readonly WrittenEntry[] {
  return entries.map((entry) => ({ seq: entry.seq, id: entry.id, type: entry.type, text: writeEntry(entry) }))
}

export type InsertEntries = (sessionKey: number, entries: readonly WrittenEntry[]) => void

/** Messages are noted for the search index, which takes them up later: indexing costs more than storing. */
export function prepareInsertEntries(connection: DatabaseSync): InsertEntries {
  const insert = prepareInsertEntry(connection)
  const note = prepareNoteMessages(connection)
  return (sessionKey, entries) => {
    for (const entry of entries) insert(sessionKey, entry)
    const firstMessage = entries.find(({ type }) => type === 'message')
    if (firstMessage !== undefined) note(sessionKey, firstMessage.seq)
  }
}

/** What one transaction takes, for entries of a session that is not there yet: others write after it. */
const INSERT_MS_AT_ONCE = 10

/** Inserts entries from a place in the list on, for a short time, and returns where to go on. Notes nothing. */
export function prepareInsertSome(connection: DatabaseSync) {
  const insert = prepareInsertEntry(connection)
  return (sessionKey: number, entries: readonly WrittenEntry[], from: number): number => {
    const until = performance.now() + INSERT_MS_AT_ONCE
    let next = from
    for (const entry of entries.slice(from)) {
      insert(sessionKey, entry)
      next += 1
      if (performance.now() > until) break
    }
    return next
  }
}

/** Notes for the search index that messages wait from this `seq` on. */
export function prepareNoteMessages(connection: DatabaseSync): (sessionKey: number, fromSeq: number) => void {
  const note = connection.prepare(
    'INSERT INTO search_pending (session_key, from_seq, is_title_due) VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  )
  return (sessionKey, fromSeq) => void note.run(sessionKey, fromSeq)
}

function prepareInsertEntry(connection: DatabaseSync): (sessionKey: number, entry: WrittenEntry) => void {
  const insert = connection.prepare('INSERT INTO entries (place, session_key, id, type, entry) VALUES (?, ?, ?, ?, ?)')
  return (sessionKey, { seq, id, type, text }) => {
    if (seq >= PLACES_PER_SESSION) throw new StoreError('invalid', 'This session is full. Start a new one.')
    insert.run(placeOf(sessionKey, seq), sessionKey, id, type, text)
  }
}
