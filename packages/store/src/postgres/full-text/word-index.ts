import { isSearchable, searchableText } from '@longhaul/engine/advanced'
import { parseEntry } from '../../records/entry-text.ts'
import { WALK_ENTRIES } from '../../records/page.ts'
import { StoreError } from '../../store-error.ts'
import type { Database } from '../database/database.ts'
import { toKey } from '../database/keys.ts'
import { listParameters } from '../database/row-values.ts'
import type { Query } from '../database/statements.ts'
import { readRows } from '../appends/entry-rows.ts'
import { writeVectors } from './word-vectors.ts'

/**
 * Indexing a message costs more than storing it, so it is done later: when the session has been quiet for a moment, and
 * in any case before a search. `indexed_seq` of a session says how far its index goes.
 */
export interface WordIndex {
  /** Entries were stored. */
  note(sessionId: string): void
  /** Whole sessions were stored. */
  noteMany(): void
  /** Indexes what waits, of one session or of all. On a server that cannot be written to, it is left as it is. */
  catchUp(sessionId?: string): Promise<void>
  /** Makes the index of a session anew; returns how many messages it holds. */
  rebuild(sessionId: string): Promise<number>
  close(): Promise<void>
}

const QUIET_MS = 1_000
/** A session that is never quiet would leave everything to the next search. */
const LATEST_MS = 30_000

export function createWordIndex(database: Database): WordIndex {
  const waiting = new Map<string, { readonly since: number; readonly timer: NodeJS.Timeout }>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()

  /** If it fails, a search does it. */
  const catchUpNow = (sessionId?: string): void => {
    const run = indexAll(database, sessionId, closing.signal).catch(() => {})
    underWay.add(run)
    void run.then(() => underWay.delete(run))
  }
  const stopWaiting = (sessionId: string): void => {
    clearTimeout(waiting.get(sessionId)?.timer)
    waiting.delete(sessionId)
  }
  const onQuiet = (sessionId: string): void => {
    stopWaiting(sessionId)
    catchUpNow(sessionId)
  }

  return {
    note(sessionId) {
      const known = waiting.get(sessionId)
      if (known === undefined) {
        const timer = setTimeout(onQuiet, QUIET_MS, sessionId).unref()
        waiting.set(sessionId, { since: performance.now(), timer })
      } else if (performance.now() - known.since < LATEST_MS) known.timer.refresh()
    },
    noteMany: () => catchUpNow(),
    async catchUp(sessionId) {
      await indexAll(database, sessionId).catch((error: unknown) => {
        if (!(error instanceof StoreError && error.code === 'unavailable')) throw error
      })
    },
    async rebuild(sessionId) {
      await database.transaction((query) => forgetWords(query, database, sessionId))
      await indexAll(database, sessionId)
      return countMessages(database, sessionId)
    },
    async close() {
      closing.abort()
      for (const sessionId of waiting.keys()) stopWaiting(sessionId)
      await Promise.all(underWay)
    },
  }
}

async function indexAll(database: Database, sessionId?: string, signal?: AbortSignal): Promise<void> {
  const { sessions, leases } = database.tables
  const pending = await database.read<{ id: string }>(
    `select id from ${sessions} where listed_seq > indexed_seq and ($1::text is null or id = $1)
    union
    select s.id from ${leases} l join ${sessions} s on s.id = l.session_id
    where s.last_seq > s.indexed_seq and ($1::text is null or s.id = $1)`,
    [sessionId === undefined ? null : toKey(sessionId)],
  )
  for (const { id } of pending) {
    let isMore = true
    while (isMore) {
      signal?.throwIfAborted()
      isMore = await database.transaction((query) => indexPage(query, database, id))
    }
  }
}

const WORD_TYPES = ['text', 'bigint', 'integer', 'tsvector']
const MAX_ROWS = 500

/**
 * The next entries of a session; false if none is left. Others who index or purge the same session wait, whoever appends
 * to it does not.
 */
async function indexPage(query: Query, { schema, tables }: Database, id: string): Promise<boolean> {
  await lockWords(query, schema, id)
  const [session] = await query<{ indexed_seq: number }>(
    `select indexed_seq from ${tables.sessions} where id = $1 for key share`,
    [id],
  )
  if (session === undefined) return false
  const rows = await readRows(query, tables, id, { from: session.indexed_seq + 1, limit: WALK_ENTRIES })
  const last = rows.at(-1)
  if (last === undefined) return false
  const words = rows.flatMap(({ seq, body }) => toWordValues(id, seq, body))
  for (let start = 0; start < words.length; start += MAX_ROWS) {
    const part = words.slice(start, start + MAX_ROWS)
    await query(
      `insert into ${tables.message_words} (session_id, seq, part, words)
      values ${listParameters(WORD_TYPES, part.length, 1)}`,
      part.flat(),
    )
  }
  await query(`update ${tables.sessions} set indexed_seq = $2 where id = $1`, [id, last.seq])
  return rows.length === WALK_ENTRIES
}

async function forgetWords(query: Query, { schema, tables }: Database, id: string): Promise<void> {
  await lockWords(query, schema, id)
  await query(`delete from ${tables.message_words} where session_id = $1`, [id])
  await query(`update ${tables.sessions} set indexed_seq = 0 where id = $1`, [id])
}

async function lockWords(query: Query, schema: string, id: string): Promise<void> {
  await query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`longhaul words ${schema} ${id}`])
}

async function countMessages({ tables, read }: Database, id: string): Promise<number> {
  const [row] = await read<{ messages: number }>(
    `select count(*) as messages from ${tables.message_words} where session_id = $1 and part = 0`,
    [id],
  )
  return row?.messages ?? 0
}

/** An entry that cannot be read has no words; whoever reads it hears of the damage. */
function toWordValues(id: string, seq: number, body: string): readonly (readonly unknown[])[] {
  const text = findText(id, seq, body)
  return text === null ? [] : writeVectors(text).map((vector, part) => [id, seq, part, vector])
}

function findText(id: string, seq: number, body: string): string | null {
  try {
    const entry = parseEntry(body, id, seq)
    return isSearchable(entry) ? searchableText(entry) : null
  } catch {
    return null
  }
}
