import type { DatabaseSync } from 'node:sqlite'
import type { DumpRecord } from '../port/dump.ts'
import type { MemoryChunk } from '../port/memory.ts'
import { parseObject } from '../records/entry-text.ts'
import { WALK_ENTRIES } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { readContent } from './artifacts.ts'
import type { ArtifactFiles } from './contents/artifact-files.ts'
import type { Database } from './database/database.ts'
import { PLACES_PER_SESSION, placeOf } from './database/place.ts'
import { toStoreError } from './database/sqlite-error.ts'
import { ITEM_COLUMNS, readItemRow } from './inbox.ts'
import type { ItemRow } from './inbox.ts'
import { readLearnedRow } from './learned.ts'
import type { LearnedRow } from './learned.ts'
import { readOutcome, readStoredManifest } from './requests.ts'
import type { RequestRow } from './requests.ts'
import { readEntryRow } from './rows/entry-rows.ts'
import type { EntryRow } from './rows/entry-rows.ts'

/** Reads on a connection of its own, in one transaction: it goes on seeing what was there when it began. */
export async function* dumpDatabase(
  db: Database,
  files: ArtifactFiles,
  signal?: AbortSignal,
): AsyncGenerator<DumpRecord, void, undefined> {
  signal?.throwIfAborted()
  const connection = await db.openConnection()
  try {
    connection.exec('PRAGMA query_only = ON; BEGIN')
    for await (const record of listRecords(connection, (sha256) => readSoundContent(db, files, sha256))) {
      signal?.throwIfAborted()
      db.checkOpen()
      yield record
    }
  } catch (error) {
    throw toStoreError(error, db.file)
  } finally {
    if (connection.isOpen) connection.close()
  }
}

/** A file may have been deleted since the dump began. One that is damaged is for a check to report, not to be backed up. */
async function readSoundContent(db: Database, files: ArtifactFiles, sha256: string): Promise<string | null> {
  try {
    return await readContent(db, files, sha256)
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return null
    throw error
  }
}

type ReadContent = (sha256: string) => Promise<string | null>

interface SessionRow {
  readonly key: number
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly header: string
}

async function* listRecords(connection: DatabaseSync, readFile: ReadContent): AsyncGenerator<DumpRecord> {
  const next = connection.prepare(
    'SELECT key, id, created_at, updated_at, deleted_at, header FROM sessions WHERE key > ? ORDER BY key LIMIT 1',
  )
  const list = prepareSessionRecords(connection, readFile)
  for (let row = next.get(0); row !== undefined; row = next.get(Number(row['key']))) {
    yield* list(row as unknown as SessionRow)
  }
  yield* listLearned(connection)
  yield* listMemory(connection)
}

function prepareSessionRecords(connection: DatabaseSync, readFile: ReadContent) {
  const entries = connection.prepare(
    'SELECT place, entry FROM entries WHERE place > ? AND place < ? ORDER BY place LIMIT ?',
  )
  const artifacts = connection.prepare('SELECT id, at, sha256 FROM artifacts WHERE session_key = ? ORDER BY at, id')
  const items = connection.prepare(`SELECT ${ITEM_COLUMNS} FROM inbox WHERE session_key = ? ORDER BY position`)
  const requests = connection.prepare(
    'SELECT number, is_full, manifest, outcome FROM requests WHERE session_key = ? ORDER BY number',
  )

  function* listEntries(key: number, sessionId: string): Generator<DumpRecord> {
    let place = placeOf(key, 0)
    for (;;) {
      const rows = entries.all(place, placeOf(key, PLACES_PER_SESSION), WALK_ENTRIES) as unknown as EntryRow[]
      for (const row of rows) yield { type: 'entry', sessionId, entry: readEntryRow(row, sessionId) }
      const last = rows.at(-1)
      if (last === undefined) return
      place = last.place
    }
  }

  async function* listArtifacts(key: number, sessionId: string): AsyncGenerator<DumpRecord> {
    for (const row of artifacts.all(key) as unknown as { id: string; at: number; sha256: string }[]) {
      const content = await readFile(row.sha256)
      if (content !== null) yield { type: 'artifact', sessionId, id: row.id, at: row.at, content }
    }
  }

  return async function* listSession(row: SessionRow): AsyncGenerator<DumpRecord> {
    const { key, id, created_at: createdAt, updated_at: updatedAt, deleted_at: deletedAt } = row
    const header = parseObject<Extract<DumpRecord, { type: 'session' }>['header']>(row.header, `The header of ${id}`)
    yield { type: 'session', id, createdAt, updatedAt, deletedAt, header }
    yield* listEntries(key, id)
    yield* listArtifacts(key, id)
    for (const item of items.all(key) as unknown as ItemRow[]) {
      yield { type: 'inbox', item: readItemRow(item, id), settledAt: item.settled_at }
    }
    for (const request of requests.iterate(key) as unknown as Iterable<RequestRow>) {
      const manifest = readStoredManifest(request, id)
      yield { type: 'request', sessionId: id, manifest, outcome: readOutcome(request, id) }
    }
  }
}

function* listLearned(connection: DatabaseSync): Generator<DumpRecord> {
  const rows = connection.prepare('SELECT model, calibrations, context_window FROM learned ORDER BY model').all()
  for (const row of rows as unknown as LearnedRow[]) {
    yield { type: 'learned', model: row.model, values: readLearnedRow(row) }
  }
}

function* listMemory(connection: DatabaseSync): Generator<DumpRecord> {
  const documents = connection.prepare('SELECT key, name, updated_at, text FROM memory_documents ORDER BY name').all()
  const chunks = connection.prepare('SELECT kind, line, text FROM memory_chunks WHERE document_key = ? ORDER BY key')
  for (const { key, name, updated_at: updatedAt, text } of documents as unknown as DocumentRow[]) {
    const rows = chunks.all(key) as unknown as MemoryChunk[]
    yield { type: 'memory', document: { name, updatedAt, text }, chunks: rows.map((row) => ({ ...row })) }
  }
}

interface DocumentRow {
  readonly key: number
  readonly name: string
  readonly updated_at: number
  readonly text: string
}
