import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '@longhaul/engine/advanced'
import { parseJson } from '@longhaul/store/jsonl'
import type { Fields, SkippedLine } from '@longhaul/store/jsonl'
import { withDatabase } from '../open-database.ts'
import type { OpencodeSession } from '../read-opencode-session.ts'

export interface ListedSession {
  readonly id: string
  readonly bytes: number
  readonly changedAt: number
}

export function listOpencodeSessions(file: string): readonly ListedSession[] {
  return withDatabase(file, (database) => {
    const sizes = database.prepare(
      'SELECT session_id AS id, sum(octet_length(data)) AS bytes FROM part GROUP BY session_id',
    )
    const bytes = new Map(sizes.all().map((row) => [String(row['id']), Number(row['bytes'])]))
    const sessions = database.prepare('SELECT id, time_updated AS changed FROM session ORDER BY id')
    return sessions.all().map((row) => {
      const id = String(row['id'])
      return { id, bytes: bytes.get(id) ?? 0, changedAt: Number(row['changed']) }
    })
  })
}

/** A session with its messages; rows that cannot be read are told by their number. */
export function readOpencodeDatabase(file: string, session: string): OpencodeSession {
  return withDatabase(file, (database) => {
    const row = database.prepare('SELECT * FROM session WHERE id = ?').get(session)
    const skipped: SkippedLine[] = []
    const parts = new Map<string, Fields[]>()
    const rows = database.prepare('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY message_id, id')
    for (const { id, message_id: message, data } of rows.iterate(session)) {
      const part = readData(data)
      if (part === null) skipped.push({ line: 0, reason: `the part ${String(id)} cannot be read` })
      else push(parts, String(message), part)
    }
    const found = database.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id')
    const messages = [...found.iterate(session)].flatMap(({ id, data }) => {
      const info = readData(data)
      if (info === null) skipped.push({ line: 0, reason: `the message ${String(id)} cannot be read` })
      return info === null ? [] : [{ info: { ...info, id }, parts: parts.get(String(id)) ?? [] }]
    })
    if (messages.length === 0 && isNewer(database, session)) skipped.push({ line: 0, reason: 'kept in a newer form' })
    const revert = row === undefined ? null : readData(row['revert'])
    const time = { created: row?.['time_created'] }
    return {
      info: { id: session, parentID: row?.['parent_id'], title: row?.['title'], revert, time },
      messages,
      skipped,
    }
  })
}

/** A later version prepares to keep messages in another table. */
function isNewer(database: DatabaseSync, session: string): boolean {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'session_message'").get()
  if (table === undefined) return false
  return database.prepare('SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1').get(session) !== undefined
}

function readData(data: unknown): Fields | null {
  const value = typeof data === 'string' ? parseJson(data) : null
  return isRecord(value) ? value : null
}

function push(lists: Map<string, Fields[]>, key: string, value: Fields): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
