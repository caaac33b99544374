import type { Entry } from '@longhaul/engine/advanced'
import type { EntryRange } from '../../port/entries.ts'
import { parseEntry, writeEntry } from '../../records/entry-text.ts'
import { clampLimit } from '../../records/page.ts'
import { toKey, toWhole } from '../database/keys.ts'
import { listParameters } from '../database/row-values.ts'
import type { Query } from '../database/statements.ts'
import type { Tables } from '../database/tables.ts'

/** Values of the columns of an entry, without its session. */
export type EntryValues = readonly [seq: number, id: string, at: number, type: string, body: string]

export const ENTRY_COLUMNS = 'seq, id, at, type, body'
export const ENTRY_TYPES = ['bigint', 'text', 'double precision', 'text', 'text']

const MAX_ROWS = 500
/** Of one statement, images and all. */
const MAX_CHARS = 8_000_000

/** Entries as they are stored, as many at a time as one statement takes. */
export function writeEntries(entries: readonly Entry[]): readonly (readonly EntryValues[])[] {
  const parts: EntryValues[][] = []
  let part: EntryValues[] = []
  let chars = 0
  for (const entry of entries) {
    const body = writeEntry(entry)
    chars += body.length
    if (part.length === 0 || part.length === MAX_ROWS || chars > MAX_CHARS) {
      part = []
      parts.push(part)
      chars = body.length
    }
    part.push([entry.seq, entry.id, entry.at, entry.type, body])
  }
  return parts
}

export async function insertEntries(
  query: Query,
  { entries: table }: Tables,
  sessionId: string,
  entries: readonly EntryValues[],
): Promise<void> {
  await query(
    `insert into ${table} (session_id, ${ENTRY_COLUMNS})
    select $1, listed.* from (values ${listParameters(ENTRY_TYPES, entries.length, 2)}) listed`,
    [sessionId, ...entries.flat()],
  )
}

export interface EntryRow {
  readonly seq: number
  readonly body: string
}

export async function readRange(
  query: Query,
  tables: Tables,
  sessionId: string,
  range: EntryRange,
): Promise<readonly Entry[]> {
  const rows = await readRows(query, tables, sessionId, range)
  return rows.map(({ seq, body }) => parseEntry(body, sessionId, seq))
}

/** Not yet parsed, for whoever goes on where one is damaged. */
export async function readRows(
  query: Query,
  tables: Tables,
  sessionId: string,
  { from = 1, to = Infinity, limit, fromEnd = false }: EntryRange,
): Promise<readonly EntryRow[]> {
  const rows = await query<EntryRow>(
    `select seq, body from ${tables.entries} where session_id = $1 and seq between $2 and $3
    order by seq ${fromEnd ? 'desc' : 'asc'} ${limit === undefined ? '' : `limit ${clampLimit(limit)}`}`,
    [toKey(sessionId), toWhole(from), toWhole(to)],
  )
  return fromEnd ? rows.toReversed() : rows
}
