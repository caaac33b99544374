import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS, migrate } from '../migrations.ts'

/**
 * A store as a version of the schema left it, with something in each of its tables. It is written row by row, so that it
 * stays what it was when the code around it changes. Tests upgrade the files of it that are kept in `fixtures/store`. Run
 * with a number, this module makes the file of that version anew: once, when the version is released.
 */
export function makeVersion(version: number, file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}.artifacts`]) {
    rmSync(path, { recursive: true, force: true })
  }
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA journal_mode = WAL')
  migrate(connection, file, MIGRATIONS.slice(0, version))
  const insert: Insert = (table, row) => {
    const names = Object.keys(row)
    const marks = names.map(() => '?').join(', ')
    connection.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row))
  }
  connection.exec('UPDATE lease_tokens SET last = 4')
  addSessions(insert)
  addWork(insert)
  addArtifact(insert, `${file}.artifacts`)
  if (version >= 2) addMemory(insert)
  if (version >= 3) addVectors(insert)
  if (version >= 4) connection.exec('UPDATE sessions SET listed_at = updated_at')
  connection.exec('VACUUM')
  connection.close()
}

type Insert = (table: string, row: Readonly<Record<string, string | number | null | Uint8Array>>) => void

const START_AT = 1_700_000_000_000
const PLACES_PER_SESSION = 2 ** 28

const rivers = [
  { seq: 1, id: 'e1', at: START_AT + 1, type: 'settings', title: 'Rivers' },
  message(2, 'user', 'How long is the Rhine?'),
  message(3, 'assistant', 'It is 1,230 km long, 東京 is elsewhere.'),
]
const sessions = [
  {
    id: 'rivers',
    title: 'Rivers',
    preview: 'It is 1,230 km long, 東京 is elsewhere.',
    deletedAt: null,
    entries: rivers,
  },
  {
    id: 'hidden',
    title: null,
    preview: 'A walrus',
    deletedAt: START_AT + 9,
    entries: [message(1, 'user', 'A walrus')],
  },
]

function addSessions(insert: Insert): void {
  for (const [index, { id, title, preview, deletedAt, entries }] of sessions.entries()) {
    const key = index + 1
    const messages = entries.filter((entry) => 'role' in entry).length
    insert('sessions', {
      key,
      id,
      created_at: START_AT,
      updated_at: START_AT + entries.length,
      deleted_at: deletedAt,
      last_seq: entries.length,
      epoch: 0,
      title,
      preview,
      header: JSON.stringify({ agent: 'guide', zebra: 1, apple: 2 }),
      head: head(entries.length, messages, title ?? undefined),
    })
    for (const [place, entry] of entries.entries()) {
      const { id: entryId, type } = entry as { id: string; type: string }
      const row = { id: entryId, type, entry: JSON.stringify(entry) }
      insert('entries', { place: key * PLACES_PER_SESSION + place + 1, session_key: key, ...row })
    }
  }
  // The first message is in the index, the second one waits for it.
  insert('message_words', { rowid: PLACES_PER_SESSION, words: 'rivers' })
  insert('message_words', { rowid: PLACES_PER_SESSION + 2, words: 'how long is the rhine' })
  insert('search_pending', { session_key: 1, from_seq: 3, is_title_due: 0 })
  insert('search_pending', { session_key: 2, from_seq: 1, is_title_due: 0 })
}

const manifest = {
  number: 1,
  at: START_AT,
  model: 'gpt-x',
  environmentHash: 'h',
  baseId: null,
  tokens: { tokens: 12, source: 'estimated' },
  numbers: null,
  repairs: [],
  bytes: 34,
  bytesHash: 'b',
  samePrefixItems: 0,
  itemsAfter: [{ key: 'k', id: 'e2', kind: 'user', state: 'verbatim', tokens: 6 }],
  isFull: true,
}
function addWork(insert: Insert): void {
  const item = { session_key: 1, at: START_AT, kind: 'message' }
  insert('inbox', {
    ...item,
    id: 'e2',
    position: 1,
    payload: '{"text":"How long is the Rhine?"}',
    settled_at: START_AT,
  })
  insert('inbox', { ...item, id: 'i2', position: 2, payload: '{"text":"And the Volga?"}', settled_at: null })
  insert('counters', { session_key: 1, last_position: 2, last_event_id: 7 })
  insert('events', { session_key: 1, id: 7, at: START_AT, event: '{"type":"delta"}' })
  const owner = JSON.stringify({ id: 'gone', host: 'a machine elsewhere', pid: 1, startedAt: '1' })
  insert('leases', {
    session_key: 1,
    token: 4,
    owner_id: 'gone',
    owner,
    expires_at: START_AT,
    work: '{"kind":"compaction"}',
  })
  const request = { session_key: 1, number: 1, at: START_AT, is_full: 1 }
  insert('requests', { ...request, manifest: JSON.stringify(manifest), outcome: '{"usage":{"output":5,"input":12}}' })
  insert('learned', {
    model: 'gpt-x',
    calibrations: '{}',
    context_window: JSON.stringify({ tokens: 8_000, at: START_AT }),
  })
}

function addArtifact(insert: Insert, artifacts: string): void {
  const content = 'the full output of a tool'
  const sha256 = createHash('sha256').update(content).digest('hex')
  insert('artifact_contents', { sha256, bytes: Buffer.byteLength(content) })
  insert('artifacts', { session_key: 1, id: 'a1', at: START_AT, sha256 })
  const folder = join(artifacts, sha256.slice(0, 2), sha256.slice(2, 4))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, sha256), content)
}

function addMemory(insert: Insert): void {
  insert('memory_documents', { key: 1, name: 'MEMORY.md', updated_at: START_AT, text: 'Likes tea.' })
  insert('memory_chunks', { key: 1, document_key: 1, kind: 'fact', line: 1, text: 'Likes tea.' })
  insert('memory_words', { rowid: 1, words: 'likes tea' })
}

function addVectors(insert: Insert): void {
  const vector = new Uint8Array([0, 0, 0x80, 0x3f, 0, 0, 0, 0])
  insert('memory_vectors', { text: 'Likes tea.', model: 'local/embed', vector })
}

function head(lastSeq: number, messages: number, title?: string): string {
  const lastCall = title === undefined ? null : { at: START_AT + lastSeq, model: null }
  return JSON.stringify({
    foldVersion: 1,
    lastSeq,
    epoch: 0,
    model: null,
    base: {
      kind: 'start',
      entry: null,
      fromSeq: 0,
      carried: [],
      summary: null,
      dropped: 0,
      note: null,
      previous: null,
    },
    pins: [],
    settings: title === undefined ? {} : { title },
    environmentHash: null,
    lastCall,
    cycle: 0,
    compactionCount: 0,
    flush: { cycle: null, failures: 0 },
    compactionFailures: 0,
    isExempt: false,
    totals: { messages, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  })
}

function message(seq: number, role: string, text: string): object {
  return { seq, id: `e${seq}`, at: START_AT + seq, type: 'message', role, parts: [{ type: 'text', text }] }
}

/** The file that is kept of a version. */
export function versionFile(version: number): string {
  return join(import.meta.dirname, `../../../../../fixtures/store/sqlite-v${version}.db`)
}

const [, , wanted] = process.argv
if (import.meta.main && wanted !== undefined) makeVersion(Number(wanted), versionFile(Number(wanted)))
