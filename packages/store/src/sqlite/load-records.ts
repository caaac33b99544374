import { createState, foldEntry } from '@longhaul/engine/advanced'
import type { State } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import type { DumpRecord } from '../port/dump.ts'
import { checkId } from '../records/check-id.ts'
import { findPreview } from '../records/describe-session.ts'
import { StoreError } from '../store-error.ts'
import { withoutContent } from '../records/without-content.ts'
import { prepareHold } from './artifacts.ts'
import { describeContent } from './contents/artifact-contents.ts'
import type { ArtifactContent, ArtifactContents } from './contents/artifact-contents.ts'
import type { ArtifactFiles } from './contents/artifact-files.ts'
import type { Database } from './database/database.ts'
import { retryWhileBusy } from './database/retry-while-busy.ts'
import { toStoreError } from './database/sqlite-error.ts'
import { prepareInsertItem } from './inbox.ts'
import { prepareWriteLearned } from './learned.ts'
import { prepareAddChunks, prepareWriteDocument } from './memory.ts'
import { prepareInsertRequest } from './requests.ts'
import { prepareInsertEntries, writeEntries } from './rows/entry-rows.ts'
import { createSessionKeys } from './rows/session-keys.ts'
import { prepareDescribe, prepareInsertSession, prepareSetListed } from './rows/session-rows.ts'

export interface LoadRooms {
  readonly files: ArtifactFiles
  readonly contents: ArtifactContents
}

/** On a connection of its own, because records come in their own time: its transaction stays open between them. */
export async function loadDatabase(
  db: Database,
  { files, contents }: LoadRooms,
  records: AsyncIterable<DumpRecord>,
): Promise<void> {
  const connection = await db.openConnection()
  const written: string[] = []
  try {
    await retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'), db)
    checkEmpty(connection)
    const loader = createLoader(connection, async (content) => {
      written.push(content.sha256)
      await files.write(content.sha256, content.bytes)
    })
    for await (const record of records) await loader.add(record)
    loader.finish()
    connection.exec('COMMIT')
  } catch (error) {
    if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
    await contents.removeUnheld(written).catch(() => {})
    throw toStoreError(error, db.file)
  } finally {
    if (connection.isOpen) connection.close()
  }
  db.changes.notify({ sessionId: null, what: 'any' })
}

function checkEmpty(connection: DatabaseSync): void {
  const tables = ['sessions', 'learned', 'memory_documents']
  const isEmpty = tables.every((table) => connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined)
  if (!isEmpty) throw new StoreError('not-empty', 'There is something in this store already. Load into a new one.')
}

interface Loader {
  add(record: DumpRecord): Promise<void>
  finish(): void
}

function createLoader(connection: DatabaseSync, writeFile: (content: ArtifactContent) => Promise<void>): Loader {
  const keys = createSessionKeys(connection)
  const sessions = createSessionLoader(connection)
  const insertContent = connection.prepare(
    'INSERT INTO artifact_contents (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const hold = prepareHold(connection)
  const insertItem = prepareInsertItem(connection)
  const insertRequest = prepareInsertRequest(connection)
  const writeLearned = prepareWriteLearned(connection)
  const writeDocument = prepareWriteDocument(connection)
  const addChunks = prepareAddChunks(connection)

  function keyOf(sessionId: string): number {
    return keys.find(sessionId) ?? refuse(`Something belongs to session ${sessionId}, which has not come before it.`)
  }

  async function addArtifact({ sessionId, id, at, content }: RecordOf<'artifact'>): Promise<void> {
    checkId(id, 'artifact')
    const described = describeContent(content)
    const isNew = insertContent.run(described.sha256, described.bytes.length).changes > 0
    if (isNew) await writeFile(described)
    hold(keyOf(sessionId), { id, at, sha256: described.sha256 })
  }

  async function add(record: DumpRecord): Promise<void> {
    switch (record.type) {
      case 'session':
        return sessions.start(record)
      case 'entry':
        return sessions.addEntry(record)
      case 'artifact':
        return addArtifact(record)
      case 'inbox': {
        const { sessionId, payload, ...item } = record.item
        const row = { ...item, payload: JSON.stringify(payload), settled_at: record.settledAt }
        return insertItem(keyOf(sessionId), row)
      }
      case 'request': {
        const { manifest, outcome } = record
        const text = outcome === null ? null : JSON.stringify(outcome)
        return insertRequest(keyOf(record.sessionId), { manifest, text: JSON.stringify(manifest), outcome: text })
      }
      case 'learned':
        return writeLearned(record.model, record.values)
      case 'memory':
        return addChunks(writeDocument(record.document), record.chunks, 0)
      default:
        record satisfies never
    }
  }

  return { add, finish: sessions.finish }
}

type RecordOf<T extends DumpRecord['type']> = Extract<DumpRecord, { readonly type: T }>

/** The session whose entries are coming in. */
interface OpenSession {
  readonly id: string
  readonly key: number
  readonly header: string
  readonly updatedAt: number
  readonly state: State
  readonly preview: string | null
}

function createSessionLoader(connection: DatabaseSync) {
  const insert = prepareInsertSession(connection)
  const insertEntries = prepareInsertEntries(connection)
  const describe = prepareDescribe(connection)
  const setListed = prepareSetListed(connection)
  let open: OpenSession | null = null

  function finish(): void {
    if (open !== null) {
      describe(open.key, open.header, { ...open, head: open.state.head })
      setListed(open.key)
    }
    open = null
  }

  return {
    start({ id, createdAt, updatedAt, deletedAt, header }: RecordOf<'session'>): void {
      finish()
      checkId(id, 'session')
      const text = JSON.stringify(header)
      const key = insert({ id, createdAt, deletedAt, header: text })
      open = { id, key, header: text, updatedAt, state: createState(), preview: null }
    },
    addEntry({ sessionId, entry }: RecordOf<'entry'>): void {
      if (open?.id !== sessionId) refuse(`Entry ${entry.id} does not follow its session ${sessionId}.`)
      const { lastSeq } = open.state.head
      if (entry.seq !== lastSeq + 1) {
        refuse(`Entry ${entry.seq} of session ${sessionId} comes where ${lastSeq + 1} is next.`)
      }
      insertEntries(open.key, writeEntries([entry]))
      const state = foldEntry(open.state, withoutContent(entry))
      open = { ...open, state, preview: findPreview([entry]) ?? open.preview }
    },
    finish,
  }
}

function refuse(why: string): never {
  throw new StoreError('unreadable-backup', `${why} Nothing was loaded; use another backup.`)
}
