import type { JsonObject } from '@longhaul/engine/advanced'
import type { Events } from '../port/events.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import type { Database } from './database/database.ts'
import { prepareDeleteOld } from './database/delete-old.ts'
import { prepareGetHeld } from './rows/held-session.ts'
import { createSessionKeys } from './rows/session-keys.ts'

interface EventRow {
  readonly id: number
  readonly at: number
  readonly event: string
}

export function createSqliteEvents(db: Database): Events {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const getHeld = prepareGetHeld(connection)
  const count = connection.prepare(
    `INSERT INTO counters (session_key, last_event_id) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET last_event_id = last_event_id + excluded.last_event_id RETURNING last_event_id AS id`,
  )
  const insert = connection.prepare('INSERT INTO events (session_key, id, at, event) VALUES (?, ?, ?, ?)')
  const select = connection.prepare(
    'SELECT id, at, event FROM events WHERE session_key = ? AND id > ? ORDER BY id LIMIT ?',
  )
  const lastId = connection.prepare('SELECT last_event_id AS id FROM counters WHERE session_key = ?')

  return {
    async add(sessionId, at, events, lease) {
      const texts = events.map((event) => JSON.stringify(event))
      const last = await db.writeUnsynced(() => {
        const key = lease === undefined ? keys.get(sessionId) : getHeld(lease)
        const { id } = count.get(key, texts.length) as unknown as Pick<EventRow, 'id'>
        for (const [index, text] of texts.entries()) insert.run(key, id - texts.length + 1 + index, at, text)
        return id
      })
      if (texts.length > 0) db.changes.notify({ sessionId, what: 'events' })
      return last
    },
    read: (sessionId, after, limit) =>
      db.read(() => {
        const rows = select.all(keys.find(sessionId), after, clampLimit(limit)) as unknown as EventRow[]
        return rows.map(({ id, at, event }) => {
          const parsed = parseObject<JsonObject>(event, `Event ${id} of session ${sessionId}`)
          return { id, at, event: parsed }
        })
      }),
    getLastId: (sessionId) =>
      db.read(() => {
        const row = lastId.get(keys.find(sessionId)) as Pick<EventRow, 'id'> | undefined
        return row?.id ?? 0
      }),
    deleteBefore: prepareDeleteOld(db, { table: 'events', key: 'id', column: 'at' }),
  }
}
