import { zstdDecompressSync } from 'node:zlib'
import { isRecord } from '@longhaul/engine/advanced'
import { createSkipList, parseJson, readCount } from '@longhaul/store/jsonl'
import type { Fields, Line, LineGroup } from '@longhaul/store/jsonl'
import { withDatabase } from './open-database.ts'
import type { ListedSession } from './opencode/opencode-database.ts'
import { PI_READING, readPiSession } from './read-pi-session.ts'
import type { SessionRead } from './session-read.ts'

const MAX_EVENT_BYTES = 64 * 1024 * 1024

/** OpenClaw's sessions moved from JSON lines into a database for each agent; an event is what a line was. */
export function listOpenClawSessions(file: string): readonly ListedSession[] {
  return withDatabase(file, (database) => {
    const rows = database.prepare(
      `SELECT session_id AS id, max(created_at) AS changed,
        sum(coalesce(event_utf8_bytes, octet_length(event_json))) AS bytes
       FROM transcript_events GROUP BY session_id ORDER BY session_id`,
    )
    return rows.all().map((row) => ({
      id: String(row['id']),
      bytes: Number(row['bytes']),
      changedAt: Number(row['changed']),
    }))
  })
}

export function readOpenClawDatabase(file: string, session: string): SessionRead {
  return withDatabase(file, (database) => {
    const lines: Line[] = []
    const skipped = createSkipList()
    const rows = database.prepare(
      'SELECT seq, event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq',
    )
    for (const { seq, event_json: json, event_zstd: packed } of rows.iterate(session)) {
      const line = Number(seq) + 1
      const value = parseEvent(json, packed)
      const slim = value === null ? null : (PI_READING.slim?.(value) ?? value)
      if (slim === null) skipped.add(line, 'an event that cannot be read')
      else lines.push({ line, value: slim })
    }
    const group: LineGroup = { lines, skipped: skipped.list() }
    const window = database.prepare('SELECT * FROM session_windows WHERE session_id = ?').get(session)
    const node = database
      .prepare('SELECT entry_json FROM session_nodes WHERE session_key = ?')
      .get(key(window?.['session_key']))
    const parent = database
      .prepare('SELECT session_id AS id FROM session_windows WHERE session_key = ?')
      .get(key(window?.['parent_session_key']))
    const entry = parseEvent(node?.['entry_json'], null) ?? {}
    return {
      ...readPiSession(group),
      parentId: parent === undefined ? null : String(parent['id']),
      windowTokens: readCount(entry['contextTokens']) ?? null,
    }
  })
}

function parseEvent(json: unknown, packed: unknown): Fields | null {
  try {
    const text = packed instanceof Uint8Array ? unpack(packed) : json
    const value = typeof text === 'string' ? parseJson(text) : null
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function unpack(packed: Uint8Array): string {
  return zstdDecompressSync(packed, { maxOutputLength: MAX_EVENT_BYTES }).toString('utf8')
}

function key(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
