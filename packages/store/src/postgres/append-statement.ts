import type { Append } from '../port/entries.ts'
import { findPreview, moveUpdatedAt } from '../records/describe-session.ts'
import { toKey } from './database/keys.ts'
import { prepareStatement } from './database/prepared-statement.ts'
import type { PreparedStatement } from './database/prepared-statement.ts'
import { listParameters } from './database/row-values.ts'
import type { Tables } from './database/tables.ts'
import { ENTRY_COLUMNS, ENTRY_TYPES } from './entry-rows.ts'
import type { EntryValues } from './entry-rows.ts'
import { writeShortVector } from './full-text/word-vectors.ts'

/** How many values come before those of the entries. */
const SESSION_VALUES = 11
/** Most appends are of one to three entries. Those of more are of too many kinds to be kept planned on every connection. */
const MAX_PREPARED_ENTRIES = 4

/** The statement for an append of so many entries, and whether it settles anything. Returns no row if it is refused. */
export type AppendStatements = (entries: number, settles: boolean) => string | PreparedStatement

export function createAppendStatements(tables: Tables): AppendStatements {
  const prepared = new Map<string, PreparedStatement>()
  return (entries, settles) => {
    if (entries > MAX_PREPARED_ENTRIES) return writeStatement(tables, entries, settles)
    const kind = `${entries} ${settles}`
    const statement = prepared.get(kind) ?? prepareStatement(writeStatement(tables, entries, settles))
    prepared.set(kind, statement)
    return statement
  }
}

export function appendValues(
  { lease, entries, head, settles = [], epoch }: Append,
  written: readonly EntryValues[],
  now: number,
): readonly unknown[] {
  const { title } = head.settings
  return [
    toKey(lease.sessionId),
    lease.token,
    lease.ownerId,
    head.lastSeq - entries.length,
    epoch ?? null,
    JSON.stringify(head),
    head.lastSeq,
    head.epoch,
    moveUpdatedAt(0, entries),
    findPreview(entries) ?? null,
    // Settings never lose a title again: without one it is still the one of the header.
    title === undefined ? null : writeShortVector(title),
    ...written.flat(),
    ...(settles.length > 0 ? [now, settles.map(toKey)] : []),
  ]
}

/**
 * All of an append in one statement, so that it costs one round trip and one commit: the session moves on if its owner,
 * its last seq and its epoch are still those the append was made for, and only then is anything else written. Whoever
 * else moves the session waits at its row, and then finds it moved.
 */
function writeStatement(tables: Tables, entries: number, settles: boolean): string {
  const written = `, written as (
    insert into ${tables.entries} (session_id, ${ENTRY_COLUMNS}) select moved.id, listed.*
    from moved, (values ${listParameters(ENTRY_TYPES, entries, SESSION_VALUES + 1)}) listed
  )`
  const next = SESSION_VALUES + entries * ENTRY_TYPES.length + 1
  const settled = `, settled as (
    update ${tables.inbox} i set settled_at = $${next} from moved
    where i.session_id = moved.id and i.id = any ($${next + 1}::text[]) and i.settled_at is null
  )`
  return `with moved as (
    update ${tables.sessions} set
      head = $6, last_seq = $7, epoch = $8, updated_at = greatest(updated_at, $9),
      preview = coalesce($10, preview), title_words = coalesce($11::tsvector, title_words)
    where id = $1 and lease_token = $2 and lease_owner_id = $3 and last_seq = $4 and ($5::bigint is null or epoch = $5)
    returning id
  )${entries > 0 ? written : ''}${settles ? settled : ''}
  select from moved`
}
