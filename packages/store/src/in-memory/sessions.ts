import { countPhrase, readQuery, splitWords } from '@longhaul/engine/advanced'
import type { Entry, Head } from '@longhaul/engine/advanced'
import type { NewSession, SessionPage, SessionQuery, SessionRecord, Sessions } from '../port/sessions.ts'
import { checkNewSession } from '../records/check-append.ts'
import { parseObject } from '../records/entry-text.ts'
import { createDescriber, fewEntries, piecesOf } from '../records/new-entries.ts'
import type { Describer } from '../records/new-entries.ts'
import { clampLimit, readCursor, writeCursor } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { describeArtifacts, dropUnheldContents } from './artifacts.ts'
import { contentOf, createSessionRow, findSession, getSession } from './data.ts'
import type { Content, Data, SessionRow } from './data.ts'
import { addEntries } from './entries.ts'

export function createInMemorySessions(data: Data): Sessions {
  return {
    async create(session) {
      const { id, createdAt } = session
      checkNewSession({ id, createdAt })
      checkFree(contentOf(data), id)
      const artifacts = describeArtifacts(session)
      const row = createSessionRow(session)
      const few = fewEntries(session)
      if (few === null) await addPieces(row, session)
      else addPiece(row, few, createDescriber(session))
      const { sessions, artifactContents } = contentOf(data)
      checkFree({ sessions }, id)
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

function checkFree({ sessions }: Pick<Content, 'sessions'>, id: string): void {
  if (sessions.has(id)) throw new StoreError('id-conflict', `There is a session ${id} already.`)
}

async function addPieces(row: SessionRow, session: NewSession): Promise<void> {
  const describer = createDescriber(session)
  for await (const piece of piecesOf(session)) addPiece(row, piece, describer)
}

function addPiece(row: SessionRow, entries: readonly Entry[], describer: Describer): void {
  describer.add(entries)
  const taken = entries.find(({ id }) => row.seqById.has(id))
  if (taken !== undefined) throw new StoreError('id-conflict', `Two entries are called ${taken.id}.`)
  const { head, updatedAt } = describer.describe()
  addEntries(row, entries, head)
  row.updatedAt = updatedAt
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
