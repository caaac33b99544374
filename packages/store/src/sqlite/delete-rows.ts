import type { DatabaseSync } from 'node:sqlite'
import { PLACES_PER_SESSION, placeOf } from './database/place.ts'

const ROWS_AT_ONCE = 250

/** Deletes some of what lies at a key; entries from the first on, once all their words are gone. Returns how many rows went. */
export function prepareDeleteSome(connection: DatabaseSync): (sessionKey: number) => number {
  const bySession = (table: string, column: string) =>
    connection.prepare(
      `DELETE FROM ${table} WHERE session_key = ?1 AND ${column} IN
       (SELECT ${column} FROM ${table} WHERE session_key = ?1 LIMIT ${ROWS_AT_ONCE})`,
    )
  const byPlace = (table: string, column: string) =>
    `SELECT ${column} FROM ${table} WHERE ${column} >= ? AND ${column} < ?`
  const placed = [
    `DELETE FROM message_words WHERE rowid IN (${byPlace('message_words_docsize', 'id')} LIMIT ${ROWS_AT_ONCE})`,
    `DELETE FROM entries WHERE place IN (${byPlace('entries', 'place')} ORDER BY place LIMIT ${ROWS_AT_ONCE})`,
  ].map((sql) => connection.prepare(sql))
  const keyed = [bySession('requests', 'number'), bySession('events', 'id')]

  return (sessionKey) => {
    const places = [placeOf(sessionKey, 0), placeOf(sessionKey, PLACES_PER_SESSION)] as const
    for (const statement of placed) {
      const deleted = Number(statement.run(...places).changes)
      if (deleted > 0) return deleted
    }
    return keyed.reduce((deleted, statement) => deleted + Number(statement.run(sessionKey).changes), 0)
  }
}
