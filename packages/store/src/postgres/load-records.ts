import { createState, foldEntries } from '@longhaul/engine/advanced'
import type { Entry, State } from '@longhaul/engine/advanced'
import type { DumpRecord } from '../port/dump.ts'
import { checkSession } from '../records/check-append.ts'
import { checkId } from '../records/check-id.ts'
import { findPreview, foldHead, titleOf } from '../records/describe-session.ts'
import { WALK_ENTRIES } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { describeArtifact, insertArtifact } from './artifacts.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'
import { insertEntries, writeEntries } from './appends/entry-rows.ts'
import { insertCalibration, insertWindow } from './learned.ts'
import { putDocument } from './memory.ts'
import { insertRequest } from './requests.ts'
import { insertSession, setHead } from './sessions.ts'

/** Writes what a dump held, a few entries at a time. Whoever calls has a transaction, so that nobody sees half of it. */
export async function loadRecords(query: Query, tables: Tables, records: AsyncIterable<DumpRecord>): Promise<void> {
  await checkEmpty(query, tables)
  const begun = new Set<string>()
  let open: OpenSession = { id: '', state: createState(), preview: null, waiting: [] }
  for await (const record of records) {
    if (record.type !== 'entry') {
      await loadRecord(query, tables, record)
      continue
    }
    const { sessionId, entry } = record
    if (open.id !== sessionId) {
      await finishSession(query, tables, open)
      if (begun.has(sessionId)) throw unreadable(`The entries of session ${sessionId} do not stand together.`)
      begun.add(sessionId)
      open = { id: sessionId, state: createState(), preview: null, waiting: [] }
    }
    checkNext(open, entry)
    open.waiting.push(entry)
    if (open.waiting.length === WALK_ENTRIES) await writeWaiting(query, tables, open)
  }
  await finishSession(query, tables, open)
  // What is put from now on comes after what was loaded.
  await query(
    `select setval(pg_get_serial_sequence($1, 'position'), max(position)) from ${tables.inbox} having max(position) > 0`,
    [tables.inbox],
  )
}

/** The session whose entries are just coming in. */
interface OpenSession {
  /** Empty before the first. */
  readonly id: string
  state: State
  preview: string | null
  waiting: Entry[]
}

async function writeWaiting(query: Query, tables: Tables, open: OpenSession): Promise<void> {
  const { id, waiting } = open
  for (const part of writeEntries(waiting)) await insertEntries(query, tables, id, part)
  open.state = foldEntries(waiting, open.state)
  open.preview = findPreview(waiting) ?? open.preview
  open.waiting = []
}

async function finishSession(query: Query, tables: Tables, open: OpenSession): Promise<void> {
  if (open.id === '') return
  await writeWaiting(query, tables, open)
  const isThere = await setHead(query, tables, open.id, open.state.head, open.preview)
  if (!isThere) throw unreadable(`Entries belong to session ${open.id}, which is not there.`)
}

function checkNext({ id, state, waiting }: OpenSession, entry: Entry): void {
  checkId(entry.id, 'message')
  const next = state.head.lastSeq + waiting.length + 1
  if (entry.seq !== next) {
    throw new StoreError(
      'out-of-order',
      `Entry ${entry.id} of session ${id} has seq ${entry.seq}, but ${next} is next.`,
    )
  }
}

async function loadRecord(query: Query, tables: Tables, record: Exclude<DumpRecord, { type: 'entry' }>): Promise<void> {
  switch (record.type) {
    case 'session': {
      checkSession(record)
      const head = foldHead([])
      const { id, createdAt, updatedAt, deletedAt, header } = record
      const title = titleOf(header, head)
      await insertSession(query, tables, { id, createdAt, updatedAt, deletedAt, title, preview: null, header, head })
      return
    }
    case 'artifact':
      await insertArtifact(query, tables, record.sessionId, describeArtifact(record))
      return
    case 'inbox': {
      const { sessionId, id, position, at, kind, payload } = record.item
      await query(
        `insert into ${tables.inbox} (session_id, id, position, at, kind, payload, settled_at)
        values ($1, $2, $3, $4, $5, $6, $7)`,
        [sessionId, id, position, at, kind, JSON.stringify(payload), record.settledAt],
      )
      return
    }
    case 'request':
      await insertRequest(query, tables, record.sessionId, record.manifest, record.outcome)
      return
    case 'learned': {
      const { calibrations, window } = record.values
      for (const [estimator, learnt] of Object.entries(calibrations)) {
        await insertCalibration(query, tables, record.model, estimator, learnt)
      }
      if (window !== null) await insertWindow(query, tables, record.model, window)
      return
    }
    case 'memory':
      await putDocument(query, tables, record.document, record.chunks)
      return
    default:
      record satisfies never
  }
}

/** The lock keeps others from writing until all is there. */
async function checkEmpty(query: Query, tables: Tables): Promise<void> {
  const { sessions, learned, learned_windows, memory_documents } = tables
  const all = [sessions, learned, learned_windows, memory_documents]
  await query(`lock table ${all.join(', ')} in share row exclusive mode`)
  const [row] = await query<{ taken: boolean }>(
    `select ${all.map((table) => `exists (select from ${table})`).join(' or ')} as taken`,
  )
  if (row?.taken !== false) {
    throw new StoreError('not-empty', 'There is something in this store already. Load into a new one.')
  }
}

function unreadable(what: string): StoreError {
  return new StoreError('unreadable-backup', what)
}
