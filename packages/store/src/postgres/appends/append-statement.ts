import type { Append } from '../../port/entries.ts'
import { findPreview, findTitle, moveUpdatedAt } from '../../records/describe-session.ts'
import { toKey } from '../database/keys.ts'
import { prepareStatement } from '../database/prepared-statement.ts'
import type { PreparedStatement } from '../database/prepared-statement.ts'
import { listParameters } from '../database/row-values.ts'
import type { Tables } from '../database/tables.ts'
import { ENTRY_COLUMNS, ENTRY_TYPES } from './entry-rows.ts'
import type { EntryValues } from './entry-rows.ts'
import { writeShortVector } from '../full-text/word-vectors.ts'

/** What of an append differs from others, as far as its statement goes. */
interface AppendKind {
  readonly entries: number
  readonly hasEpoch: boolean
  readonly hasTitle: boolean
  readonly settles: boolean
}

export interface AppendStatement {
  readonly sessionId: string
  /** One entry, and nothing besides. */
  readonly isSimple: boolean
  /** Affects no row if the append is refused. */
  readonly statement: string | PreparedStatement
  readonly values: readonly unknown[]
}

/** `written` are the entries that go with the statement; the first ones, if there are too many for one. */
export type WriteAppend = (append: Append, written: readonly EntryValues[], now: number) => AppendStatement

/** How many values come before those of the entries. */
const SESSION_VALUES = 9
/** Most appends are of one to three entries. Those of more are of too many kinds to be kept planned on every connection. */
const MAX_PREPARED_ENTRIES = 4

export function createWriteAppend(tables: Tables): WriteAppend {
  const prepared = new Map<string, PreparedStatement>()
  return ({ lease, entries, head, settles = [], epoch }, written, now) => {
    const title = findTitle(entries)
    const kind = {
      entries: written.length,
      hasEpoch: epoch !== undefined,
      hasTitle: title !== undefined,
      settles: settles.length > 0,
    }
    const values: unknown[] = [
      toKey(lease.sessionId),
      lease.token,
      lease.ownerId,
      head.lastSeq - entries.length,
      JSON.stringify(head),
      head.lastSeq,
      head.epoch,
      moveUpdatedAt(0, entries),
      findPreview(entries) ?? null,
    ]
    for (const row of written) values.push(...row)
    if (epoch !== undefined) values.push(epoch)
    if (title !== undefined) values.push(writeShortVector(title))
    if (settles.length > 0) values.push(now, settles.map(toKey))
    return {
      sessionId: lease.sessionId,
      isSimple: written.length === 1 && !kind.hasEpoch && !kind.hasTitle && !kind.settles,
      statement: findStatement(tables, prepared, kind),
      values,
    }
  }
}

function findStatement(
  tables: Tables,
  prepared: Map<string, PreparedStatement>,
  kind: AppendKind,
): string | PreparedStatement {
  const { entries, hasEpoch, hasTitle, settles } = kind
  if (entries > MAX_PREPARED_ENTRIES) return writeStatement(tables, kind)
  const name = `${entries} ${hasEpoch} ${hasTitle} ${settles}`
  const statement = prepared.get(name) ?? prepareStatement(writeStatement(tables, kind))
  prepared.set(name, statement)
  return statement
}

/**
 * All of an append in one statement, so that it costs one round trip and one commit: the session moves on if its owner,
 * its last seq and its epoch are still those the append was made for, and only then is anything else written. Whoever
 * else moves the session waits at its row, and then finds it moved.
 */
function writeStatement(tables: Tables, { entries, hasEpoch, hasTitle, settles }: AppendKind): string {
  let last = SESSION_VALUES + entries * ENTRY_TYPES.length
  const next = (): string => `$${(last += 1)}`
  const epoch = hasEpoch ? `and epoch = ${next()}` : ''
  const title = hasTitle ? `, title_words = ${next()}::tsvector` : ''
  const settled = settles
    ? `, settled as (
      update ${tables.inbox} i set settled_at = ${next()} from moved
      where i.session_id = moved.id and i.id = any (${next()}::text[]) and i.settled_at is null
    )`
    : ''
  const written = `insert into ${tables.entries} (session_id, ${ENTRY_COLUMNS}) select moved.id, listed.*
    from moved, (values ${listParameters(ENTRY_TYPES, entries, SESSION_VALUES + 1)}) listed`
  return `with moved as (
      update ${tables.sessions} set
        head = $5, last_seq = $6, epoch = $7, updated_at = greatest(updated_at, $8), preview = coalesce($9, preview) ${title}
      where id = $1 and lease_token = $2 and lease_owner_id = $3 and last_seq = $4 ${epoch}
      returning id
    )${settled}
    ${entries > 0 ? written : 'select from moved'}`
}
