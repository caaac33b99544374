import type { Head } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import type { SessionRecord } from '../../port/sessions.ts'
import { foldHead, titleOf } from '../../records/describe-session.ts'
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
  /** Without it, the next one. */
  readonly key?: number | null
  readonly id: string
  readonly createdAt: number
  readonly deletedAt: number | null
  readonly header: string
}

/** A session without entries; returns its key. */
export function prepareInsertSession(connection: DatabaseSync): (row: NewSessionRow) => number {
  const insert = connection.prepare(
    `INSERT INTO sessions (key, id, created_at, updated_at, deleted_at, last_seq, epoch, header, head)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
  )
  const head = foldHead([])
  const headText = JSON.stringify(head)
  return ({ key = null, id, createdAt, deletedAt, header }) => {
    const row = insert.get(key, id, createdAt, createdAt, deletedAt, head.lastSeq, head.epoch, header, headText)
    return Number(row?.['key'])
  }
}

interface Description {
  readonly head: Head
  readonly preview: string | null
  readonly updatedAt: number
}

/** Lists are ordered by an index that an append leaves alone: it is brought up to date where there is no lease any more. */
export function prepareSetListed(connection: DatabaseSync): (key: number) => void {
  const update = connection.prepare('UPDATE sessions SET listed_at = updated_at WHERE key = ?')
  return (key) => void update.run(key)
}

export type Describe = (key: number, header: string, description: Description) => void

/** Writes what all of a session's entries come to into its row. */
export function prepareDescribe(connection: DatabaseSync): Describe {
  const update = connection.prepare(
    'UPDATE sessions SET updated_at = ?, last_seq = ?, epoch = ?, preview = ?, head = ? WHERE key = ?',
  )
  const setTitle = prepareSetTitle(connection)
  return (key, header, { head, preview, updatedAt }) => {
    update.run(updatedAt, head.lastSeq, head.epoch, preview, JSON.stringify(head), key)
    setTitle(key, titleOf(parseObject(header, 'The header of a session'), head), head.lastSeq)
  }
}

export type SetTitle = (key: number, title: string | null, lastSeq: number) => void

/** A new title is noted for the search index; after the entries, whose own note says where indexing begins. */
export function prepareSetTitle(connection: DatabaseSync): SetTitle {
  const update = connection.prepare('UPDATE sessions SET title = ?1 WHERE key = ?2 AND title IS NOT ?1')
  const note = connection.prepare(
    `INSERT INTO search_pending (session_key, from_seq, is_title_due) VALUES (?, ?, 1)
     ON CONFLICT DO UPDATE SET is_title_due = 1`,
  )
  return (key, title, lastSeq) => {
    if (update.run(title, key).changes > 0) note.run(key, lastSeq + 1)
  }
}
