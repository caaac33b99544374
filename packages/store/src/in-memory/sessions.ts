import { countPhrase, readQuery, splitWords } from '@longhaul/engine/advanced'
import type { Head } from '@longhaul/engine/advanced'
import type { SessionPage, SessionQuery, SessionRecord, Sessions } from '../port/sessions.ts'
import { checkNewSession } from '../records/check-append.ts'
import { foldHead, moveUpdatedAt } from '../records/describe-session.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit, readCursor, writeCursor } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { describeArtifacts, dropUnheldContents } from './artifacts.ts'
import { contentOf, createSessionRow, findSession, getSession } from './data.ts'
import type { Data, SessionRow } from './data.ts'
import { addEntries } from './entries.ts'

export function createInMemorySessions(data: Data): Sessions {
  return {
    async create(session) {
      const { sessions, artifactContents } = contentOf(data)
      checkNewSession(session)
      const { id, createdAt, entries = [] } = session
      if (sessions.has(id)) throw new StoreError('id-conflict', `There is a session ${id} already.`)
      const artifacts = describeArtifacts(session)
      const row = createSessionRow(session)
      addEntries(row, entries, foldHead(entries))
      row.updatedAt = moveUpdatedAt(createdAt, entries)
      for (const { info, content } of artifacts) {
        row.artifacts.set(info.id, info)
        artifactContents.set(info.sha256, content)
      }
      sessions.set(id, row)
      data.changes.tell({ sessionId: id, what: 'entries' })
      return toRecord(row)
    },
    async get(id) {
      const row = findSession(data, id)
      return row === undefined ? null : toRecord(row)
    },
    async list(query) {
      return listSessions([...contentOf(data).sessions.values()], query)
    },
    async setDeleted(id, at) {
      getSession(data, id).deletedAt = at
      data.changes.tell({ sessionId: id, what: 'any' })
    },
    async purge(id) {
      const content = contentOf(data)
      if (!content.sessions.delete(id)) return
      dropUnheldContents(content)
      data.changes.tell({ sessionId: id, what: 'any' })
    },
  }
}

function toRecord(row: SessionRow): SessionRecord {
  const { id, createdAt, updatedAt, deletedAt, title, preview } = row
  const header = parseObject<SessionRecord['header']>(row.headerText, `The header of session ${id}`)
  const head = parseObject<Head>(row.headText, `The head of session ${id}`)
  return { id, createdAt, updatedAt, deletedAt, title, preview, header, head }
}

function listSessions(rows: readonly SessionRow[], { limit, after, ...query }: SessionQuery): SessionPage {
  const cursor = after === undefined ? null : readCursor(after)
  const found = rows
    .filter((row) => matches(row, query) && (cursor === null || compareRows(cursor, row) < 0))
    .toSorted(compareRows)
  const items = found.slice(0, clampLimit(limit))
  const last = items.at(-1)
  return {
    items: items.map(toRecord),
    next: last === undefined || items.length === found.length ? null : writeCursor(last),
  }
}

/** Newest change first; those of the same millisecond in the order of their ids. */
function compareRows(
  first: Pick<SessionRow, 'updatedAt' | 'id'>,
  second: Pick<SessionRow, 'updatedAt' | 'id'>,
): number {
  if (first.updatedAt !== second.updatedAt) return second.updatedAt - first.updatedAt
  if (first.id === second.id) return 0
  return first.id < second.id ? -1 : 1
}

function matches(row: SessionRow, { query = '', deleted = false, updatedBefore = Infinity }: SessionQuery): boolean {
  if ((row.deletedAt !== null) !== deleted || row.updatedAt >= updatedBefore) return false
  if (query.trim() === '') return true
  const phrases = readQuery(query)
  const texts = [splitWords(row.title ?? ''), ...row.words.values()]
  return texts.some((words) => phrases.some((phrase) => countPhrase(words, phrase) > 0))
}
