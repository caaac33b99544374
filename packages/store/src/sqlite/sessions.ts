import { readQuery } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import type { NewSession, SessionPage, SessionQuery, SessionRecord, Sessions } from '../port/sessions.ts'
import { checkId, checkNewSession } from '../records/check-append.ts'
import { findPreview, foldHead, moveUpdatedAt } from '../records/describe-session.ts'
import { clampLimit, readCursor, writeCursor } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { prepareHold } from './artifacts.ts'
import { describeContent } from './contents/artifact-contents.ts'
import type { ArtifactContents } from './contents/artifact-contents.ts'
import type { Database } from './database/database.ts'
import type { MessageIndex } from './message-index.ts'
import type { Purge } from './purge.ts'
import { prepareInsertEntries, writeEntries } from './rows/entry-rows.ts'
import { createSessionKeys } from './rows/session-keys.ts'
import {
  SESSION_COLUMNS,
  prepareDescribe,
  prepareInsertSession,
  prepareSetListed,
  readSessionRow,
} from './rows/session-rows.ts'
import type { SessionRow } from './rows/session-rows.ts'
import { feedIfPossible, toMatch } from './search.ts'

export interface SessionRooms {
  readonly contents: ArtifactContents
  readonly index: MessageIndex
  readonly purge: Purge
}

export function createSqliteSessions(db: Database, { contents, index, purge }: SessionRooms): Sessions {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const create = prepareCreate(connection)
  const list = prepareList(connection)
  const select = connection.prepare(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ?`)
  const hide = connection.prepare('UPDATE sessions SET deleted_at = ? WHERE key = ?')

  function find(id: string): SessionRecord | null {
    const row = select.get(id) as SessionRow | undefined
    // SQLite reads half a character as another one.
    return row?.id === id ? readSessionRow(row) : null
  }

  function getCreated(id: string): SessionRecord {
    const created = find(id)
    if (created === null) throw new StoreError('damaged', `Session ${id} is not found where it was stored.`)
    return created
  }

  return {
    async create(session) {
      checkNewSession(session)
      const written = writeSession(session)
      const created = await contents.writeHeld(written.artifacts, () => {
        create(written)
        return getCreated(session.id)
      })
      db.changes.notify({ sessionId: session.id, what: 'entries' })
      index.feedSoon()
      return created
    },
    get: (id) => db.read(() => find(id)),
    async list(query) {
      if (asksForWords(query)) await feedIfPossible(index)
      return db.read(() => list(query))
    },
    async setDeleted(id, at) {
      await db.write(() => hide.run(at, keys.get(id)))
      db.changes.notify({ sessionId: id, what: 'any' })
    },
    purge: (id) => purge.run(id),
  }
}

/** Written before its turn comes, so that nothing the caller does later changes it. */
function writeSession({ id, createdAt, header = {}, entries = [], artifacts = [] }: NewSession) {
  for (const artifact of artifacts) checkId(artifact.id, 'artifact')
  return {
    row: { id, createdAt, header: JSON.stringify(header) },
    entries: writeEntries(entries),
    description: {
      head: foldHead(entries),
      preview: findPreview(entries) ?? null,
      updatedAt: moveUpdatedAt(createdAt, entries),
    },
    artifacts: artifacts.map((artifact) => ({ id: artifact.id, ...describeContent(artifact.content) })),
  }
}

type WrittenSession = ReturnType<typeof writeSession>

function prepareCreate(connection: DatabaseSync): (session: WrittenSession) => void {
  const insert = prepareInsertSession(connection)
  const insertEntries = prepareInsertEntries(connection)
  const describe = prepareDescribe(connection)
  const setListed = prepareSetListed(connection)
  const hold = prepareHold(connection)
  return ({ row, entries, description, artifacts }) => {
    const key = insert({ ...row, deletedAt: null })
    insertEntries(key, entries)
    describe(key, row.header, description)
    setListed(key)
    for (const { id, sha256 } of artifacts) hold(key, { id, at: row.createdAt, sha256 })
  }
}

function asksForWords({ query = '' }: SessionQuery): boolean {
  return query.trim() !== ''
}

/** Sessions with a lease are few, and are looked at one by one; for all others the index is up to date. */
function prepareList(connection: DatabaseSync): (query: SessionQuery) => SessionPage {
  const select = (isHidden: boolean, words: string) => {
    const selectBy = (time: 'listed_at' | 'updated_at', isLeased: string) =>
      `SELECT ${SESSION_COLUMNS} FROM sessions
       WHERE deleted_at IS ${isHidden ? 'NOT NULL' : 'NULL'} AND key ${isLeased} (SELECT session_key FROM leases) ${words}
       AND ${time} <= $updatedAt AND (${time} < $updatedAt OR id > $id) AND ${time} < $updatedBefore`
    return connection.prepare(
      `SELECT * FROM (${selectBy('listed_at', 'NOT IN')} ORDER BY listed_at DESC, id LIMIT $limit)
       UNION ALL ${selectBy('updated_at', 'IN')} ORDER BY updated_at DESC, id LIMIT $limit`,
    )
  }
  const withWords = 'AND key IN (SELECT rowid >> 28 FROM message_words WHERE message_words MATCH $words)'
  const [shown, hidden] = [select(false, ''), select(true, '')]
  const [shownWithWords, hiddenWithWords] = [select(false, withWords), select(true, withWords)]

  return (query) => {
    const { after, deleted = false, updatedBefore = Infinity } = query
    const limit = clampLimit(query.limit)
    const { updatedAt, id } = after === undefined ? { updatedAt: Infinity, id: '' } : readCursor(after)
    // One more than asked for shows whether there is a next page.
    const given = { updatedAt, id, updatedBefore, limit: limit + 1 }
    const words = toMatch(readQuery(query.query ?? ''))
    if (asksForWords(query) && words === null) return { items: [], next: null }
    const found =
      words === null
        ? (deleted ? hidden : shown).all(given)
        : (deleted ? hiddenWithWords : shownWithWords).all({ ...given, words })
    const rows = found as unknown as SessionRow[]
    const items = rows.slice(0, limit).map(readSessionRow)
    const last = items.at(-1)
    return { items, next: rows.length <= limit || last === undefined ? null : writeCursor(last) }
  }
}
