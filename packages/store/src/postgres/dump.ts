import type { JsonObject } from '@longhaul/engine/advanced'
import type { DumpRecord } from '../port/dump.ts'
import type { MemoryChunk } from '../port/memory.ts'
import type { Store } from '../port/store.ts'
import { parseObject } from '../records/entry-text.ts'
import { hashContent } from '../records/hash-content.ts'
import { WALK_ENTRIES } from '../records/page.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database/database.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'
import { readRange } from './appends/entry-rows.ts'
import { INBOX_COLUMNS, toItem } from './inbox.ts'
import type { InboxRow } from './inbox.ts'
import { readLearned } from './learned.ts'
import { loadRecords } from './load-records.ts'
import { REQUEST_COLUMNS, readOutcome, readStoredManifest } from './requests.ts'
import type { RequestRow } from './requests.ts'
import type { WordIndex } from './full-text/word-index.ts'

export function createPostgresDump(
  database: Database,
  changes: Changes,
  wordIndex: WordIndex,
): Pick<Store, 'dump' | 'load'> {
  return {
    async *dump(signal) {
      signal?.throwIfAborted()
      for await (const record of database.snapshot((query) => listRecords(query, database.tables))) {
        signal?.throwIfAborted()
        yield record
      }
    },
    async load(records) {
      await database.transactionOnce((query) => loadRecords(query, database.tables, records))
      changes.emit({ sessionId: null, what: 'any' })
      wordIndex.noteMany()
    },
  }
}

async function* listRecords(query: Query, tables: Tables): AsyncGenerator<DumpRecord> {
  yield* listSessions(query, tables)
  yield* listArtifacts(query, tables)
  const inbox = walk<InboxRow>(query, tables.inbox, ['session_id', 'id'], INBOX_COLUMNS)
  for await (const row of inbox) yield { type: 'inbox', item: toItem(row), settledAt: row.settled_at }
  const requests = walk<RequestRow>(query, tables.requests, ['session_id', 'number'], REQUEST_COLUMNS)
  for await (const row of requests) {
    yield { type: 'request', sessionId: row.session_id, manifest: readStoredManifest(row), outcome: readOutcome(row) }
  }
  for (const { model, ...values } of await readLearned(query, tables)) yield { type: 'learned', model, values }
  yield* listMemory(query, tables)
}

interface SessionRow {
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly header: string
}

async function* listSessions(query: Query, tables: Tables): AsyncGenerator<DumpRecord> {
  const sessions = walk<SessionRow>(query, tables.sessions, ['id'], 'id, created_at, updated_at, deleted_at, header')
  for await (const { id, created_at, updated_at, deleted_at, header: text } of sessions) {
    const header = parseObject<JsonObject>(text, `The header of session ${id}`)
    yield { type: 'session', id, createdAt: created_at, updatedAt: updated_at, deletedAt: deleted_at, header }
    let from = 1
    for (;;) {
      const entries = await readRange(query, tables, id, { from, limit: WALK_ENTRIES })
      for (const entry of entries) yield { type: 'entry', sessionId: id, entry }
      if (entries.length < WALK_ENTRIES) break
      from = (entries.at(-1)?.seq ?? from) + 1
    }
  }
}

/** One content at a time: each may be large. What is lost or damaged is for a check to report, not to be backed up. */
async function* listArtifacts(query: Query, tables: Tables): AsyncGenerator<DumpRecord> {
  const artifacts = walk<{ session_id: string; id: string; at: number; sha256: string }>(
    query,
    tables.artifacts,
    ['session_id', 'id'],
    'session_id, id, at, sha256',
  )
  for await (const { session_id, id, at, sha256 } of artifacts) {
    const [row] = await query<{ content: Buffer }>(
      `select content from ${tables.artifact_contents} where sha256 = $1`,
      [sha256],
    )
    if (row === undefined || hashContent(row.content) !== sha256) continue
    yield { type: 'artifact', sessionId: session_id, id, at, content: row.content.toString('utf8') }
  }
}

async function* listMemory(query: Query, tables: Tables): AsyncGenerator<DumpRecord> {
  const documents = walk<{ name: string; updated_at: number; text: string }>(
    query,
    tables.memory_documents,
    ['name'],
    'name, updated_at, text',
  )
  for await (const { name, updated_at, text } of documents) {
    const chunks = await query<MemoryChunk>(
      `select kind, line, text from ${tables.memory_chunks} where document = $1 order by number`,
      [name],
    )
    yield { type: 'memory', document: { name, updatedAt: updated_at, text }, chunks }
  }
}

/** All rows of a table in the order of its key, a page at a time. */
async function* walk<Row extends object>(
  query: Query,
  table: string,
  key: readonly (keyof Row & string)[],
  columns: string,
): AsyncGenerator<Row> {
  const place = `(${key.join(', ')}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`
  let last: Row | undefined
  for (;;) {
    const after = last
    const rows: readonly Row[] = await query<Row>(
      `select ${columns} from ${table} ${after === undefined ? '' : `where ${place}`}
      order by ${key.join(', ')} limit ${WALK_ENTRIES}`,
      after === undefined ? [] : key.map((name) => after[name]),
    )
    yield* rows
    last = rows.at(-1)
    if (last === undefined || rows.length < WALK_ENTRIES) return
  }
}
