import type { Head } from '@longhaul/engine'
import type { DatabaseSync } from 'node:sqlite'
import type { SessionRecord } from '../../port/sessions.ts'
import { foldHead, titleOf, toStorableText } from '../../records/describe-session.ts'
import { parseObject } from '../../records/entry-text.ts'

export interface SessionRow {
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly title: string | null
  readonly preview: string | null
  readonly header: string
  readonly head: string
}

export const SESSION_COLUMNS = 'id, created_at, updated_at, deleted_at, title, preview, header, head'

export function readSessionRow(row: SessionRow): SessionRecord {
  const { id, created_at: createdAt, updated_at: updatedAt, deleted_at: deletedAt, title, preview } = row
  const header = parseObject<SessionRecord['header']>(row.header, `The header of session ${id}`)
  const head = parseObject<Head>(row.head, `The head of session ${id}`)
  return { id, createdAt, updatedAt, deletedAt, title, preview, header, head }
}

export interface NewSessionRow {
  readonly id: string
  readonly createdAt: number
  readonly deletedAt: number | null
  readonly header: string
}

/** A session without entries; returns its key. */
export function prepareInsertSession(connection: DatabaseSync): (row: NewSessionRow) => number {
  const insert = connection.prepare(
    `INSERT INTO sessions (id, created_at, updated_at, deleted_at, last_seq, epoch, header, head)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
  )
  const head = foldHead([])
  return ({ id, createdAt, deletedAt, header }) => {
    const row = insert.get(id, createdAt, createdAt, deletedAt, head.lastSeq, head.epoch, header, JSON.stringify(head))
    return Number(row?.['key'])
  }
}

interface Description {
  readonly head: Head
  /** undefined: it stays as it is. */
  readonly preview: string | null | undefined
  readonly updatedAt: number
}

/** Lists are ordered by an index that an append leaves alone: it is brought up to date where there is no lease any more. */
export function prepareSetListed(connection: DatabaseSync): (key: number) => void {
  const update = connection.prepare('UPDATE sessions SET listed_at = updated_at WHERE key = ?')
  return (key) => void update.run(key)
}

/** What its row says before that. */
export type DescribedRow = Pick<SessionRow, 'title' | 'preview' | 'header'>

export type Describe = (key: number, before: DescribedRow, description: Description) => void

/** Writes what a session's entries come to into its row. A new title is noted for the search index. */
export function prepareDescribe(connection: DatabaseSync): Describe {
  const update = connection.prepare(
    'UPDATE sessions SET updated_at = ?, last_seq = ?, epoch = ?, title = ?, preview = ?, head = ? WHERE key = ?',
  )
  const note = connection.prepare(
    `INSERT INTO search_pending (session_key, from_seq, is_title_due) VALUES (?, ?, 1)
     ON CONFLICT DO UPDATE SET is_title_due = 1`,
  )
  return (key, before, { head, preview, updatedAt }) => {
    const title = storableTitle(before.header, head)
    const shown = preview === undefined ? before.preview : preview
    update.run(updatedAt, head.lastSeq, head.epoch, title, shown, JSON.stringify(head), key)
    if (title !== before.title) note.run(key, head.lastSeq + 1)
  }
}

function storableTitle(header: string, head: Head): string | null {
  const title = titleOf(parseObject(header, 'The header of a session'), head)
  return title === null ? null : toStorableText(title)
}
