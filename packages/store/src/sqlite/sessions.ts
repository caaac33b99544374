import { readQuery } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '@longhaul/engine/advanced'
import type { NewSession, SessionPage, SessionQuery, SessionRecord, Sessions } from '../port/sessions.ts'
import { checkNewSession } from '../records/check-append.ts'
import { checkId } from '../records/check-id.ts'
import { createDescriber, fewEntries, piecesOf } from '../records/new-entries.ts'
import type { NewDescription } from '../records/new-entries.ts'
import { clampLimit, readCursor, writeCursor } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { prepareHold } from './artifacts.ts'
import { describeContent } from './contents/artifact-contents.ts'
import type { ArtifactContents } from './contents/artifact-contents.ts'
import type { Database } from './database/database.ts'
import type { MessageIndex } from './message-index.ts'
import type { Purge } from './purge.ts'
import { prepareInsertEntries, prepareNoteMessages, writeEntries } from './rows/entry-rows.ts'
import type { WrittenEntry } from './rows/entry-rows.ts'
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
import type { Stagings } from './stagings.ts'

export interface SessionRooms {
  readonly contents: ArtifactContents
  readonly index: MessageIndex
  readonly purge: Purge
  readonly stagings: Stagings
}

export function createSqliteSessions(db: Database, rooms: SessionRooms): Sessions {
  const { index, purge } = rooms
  const { connection } = db
  const keys = createSessionKeys(connection)
  const create = prepareCreate(db, rooms)
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
      const created = await create(session, () => getCreated(session.id))
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

type Create = (session: NewSession, getCreated: () => SessionRecord) => Promise<SessionRecord>

/** Few entries are stored with their session, in one transaction. Many are staged before, a few at a time. */
function prepareCreate(db: Database, { contents, stagings }: SessionRooms): Create {
  const taken = db.connection.prepare('SELECT 1 FROM sessions WHERE id = ?')
  const write = prepareWrite(db.connection)

  async function createAtOnce(session: NewSession, entries: readonly Entry[], getCreated: () => SessionRecord) {
    const describer = createDescriber(session)
    describer.add(entries)
    const written = { ...writeSession(session), entries: writeEntries(entries), description: describer.describe() }
    return contents.writeHeld(written.artifacts, () => {
      write(written)
      return getCreated()
    })
  }

  async function createStaged(session: NewSession, getCreated: () => SessionRecord) {
    await stagings.dropOld()
    const isTaken = await db.read(() => taken.get(session.id) !== undefined)
    if (isTaken) throw new StoreError('id-conflict', `There is a session ${session.id} already.`)
    const staging = await stagings.begin()
    try {
      const describer = createDescriber(session)
      for await (const piece of piecesOf(session)) {
        describer.add(piece)
        await staging.add(writeEntries(piece))
      }
      const written = { ...writeSession(session), entries: [], description: describer.describe(), key: staging.key }
      return await contents.writeHeld(written.artifacts, () => {
        staging.settle()
        write(written)
        return getCreated()
      })
    } catch (error) {
      // If that fails too, whoever opens the store later sees to it.
      await staging.drop().catch(() => {})
      throw error
    }
  }

  return async (session, getCreated) => {
    const few = fewEntries(session)
    checkNewSession({ id: session.id, createdAt: session.createdAt, ...(few !== null && { entries: few }) })
    return few === null ? createStaged(session, getCreated) : createAtOnce(session, few, getCreated)
  }
}

/** Written before its turn comes, so that nothing the caller does later changes it. */
function writeSession({ id, createdAt, header = {}, artifacts = [] }: NewSession) {
  for (const artifact of artifacts) checkId(artifact.id, 'artifact')
  return {
    row: { id, createdAt, header: JSON.stringify(header) },
    artifacts: artifacts.map((artifact) => ({ id: artifact.id, ...describeContent(artifact.content) })),
  }
}

interface WrittenSession extends ReturnType<typeof writeSession> {
  readonly entries: readonly WrittenEntry[]
  readonly description: NewDescription
  /** The key under which its entries are stored already. */
  readonly key?: number
}

function prepareWrite(connection: DatabaseSync): (session: WrittenSession) => void {
  const insert = prepareInsertSession(connection)
  const insertEntries = prepareInsertEntries(connection)
  const noteMessages = prepareNoteMessages(connection)
  const describe = prepareDescribe(connection)
  const setListed = prepareSetListed(connection)
  const hold = prepareHold(connection)
  return ({ row, entries, description, artifacts, key: stagedKey = null }) => {
    const key = insert({ ...row, key: stagedKey, deletedAt: null })
    if (stagedKey === null) insertEntries(key, entries)
    else noteMessages(key, 1)
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
