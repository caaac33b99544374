import type { DatabaseSync } from 'node:sqlite'
import type { Inbox, InboxItem, NewInboxItem, Stored } from '../port/inbox.ts'
import { checkNewId } from '../records/check-id.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { prepareDeleteOld } from './database/delete-old.ts'
import { isOwned } from './leases.ts'
import type { LeaseRow } from './leases.ts'
import { prepareGetHeld } from './rows/held-session.ts'
import { createSessionKeys } from './rows/session-keys.ts'

export function createSqliteInbox(db: Database): Inbox {
  const { connection, clock } = db
  const keys = createSessionKeys(connection)
  const put = preparePut(connection)
  const getHeld = prepareGetHeld(connection)
  const settle = prepareSettle(connection)
  const waiting = connection.prepare(
    `SELECT ${ITEM_COLUMNS} FROM inbox WHERE session_key = ? AND settled_at IS NULL ORDER BY position`,
  )
  const unowned = connection.prepare(
    `SELECT sessions.id AS session_id, owner, expires_at FROM inbox
     JOIN sessions ON sessions.key = inbox.session_key LEFT JOIN leases ON leases.session_key = sessions.key
     WHERE settled_at IS NULL AND deleted_at IS NULL GROUP BY sessions.key ORDER BY min(at), sessions.id`,
  )

  return {
    async put(item) {
      checkNewId(item.id, 'message')
      const payload = JSON.stringify(item.payload)
      const stored = await db.write(() => put(item, payload))
      if (stored.status === 'new') db.changes.notify({ sessionId: item.sessionId, what: 'inbox' })
      return stored
    },
    list: (sessionId) =>
      db.read(() => {
        const rows = waiting.all(keys.find(sessionId)) as unknown as ItemRow[]
        return rows.map((row) => readItemRow(row, sessionId))
      }),
    listUnowned: (limit) =>
      db.read(() => {
        const now = clock()
        const rows = unowned.all() as unknown as UnownedRow[]
        const free = rows.filter(({ owner, expires_at }) => owner === null || !isOwned({ owner, expires_at }, now))
        return free.slice(0, clampLimit(limit)).map((row) => row.session_id)
      }),
    async settle(lease, ids) {
      await db.write(() => settle(getHeld(lease), ids, clock()))
      db.changes.notify({ sessionId: lease.sessionId, what: 'inbox' })
    },
    deleteSettledBefore: prepareDeleteOld(db, { table: 'inbox', key: 'id', column: 'settled_at' }),
  }
}

interface UnownedRow extends Omit<LeaseRow, 'owner'> {
  readonly session_id: string
  /** null: it has no lease at all. */
  readonly owner: string | null
}

export interface ItemRow {
  readonly id: string
  readonly position: number
  readonly at: number
  readonly kind: InboxItem['kind']
  readonly payload: string
  readonly settled_at: number | null
}

export const ITEM_COLUMNS = 'id, position, at, kind, payload, settled_at'

export function readItemRow({ id, position, at, kind, payload }: ItemRow, sessionId: string): InboxItem {
  return { sessionId, id, position, at, kind, payload: parseObject(payload, `Item ${id} of session ${sessionId}`) }
}

export type Settle = (sessionKey: number, ids: readonly string[], at: number) => void

export function prepareSettle(connection: DatabaseSync): Settle {
  const statement = connection.prepare(
    'UPDATE inbox SET settled_at = ? WHERE session_key = ? AND id = ? AND settled_at IS NULL',
  )
  return (sessionKey, ids, at) => {
    for (const id of ids) statement.run(at, sessionKey, id)
  }
}

/** The position is counted apart from the items, so that it goes on growing when they are forgotten. */
export function prepareInsertItem(connection: DatabaseSync): (sessionKey: number, row: ItemRow) => void {
  const insert = connection.prepare(`INSERT INTO inbox (session_key, ${ITEM_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const count = connection.prepare(
    `INSERT INTO counters (session_key, last_position) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET last_position = max(last_position, excluded.last_position)`,
  )
  return (sessionKey, { id, position, at, kind, payload, settled_at: settledAt }) => {
    count.run(sessionKey, position)
    insert.run(sessionKey, id, position, at, kind, payload, settledAt)
  }
}

function preparePut(connection: DatabaseSync): (item: NewInboxItem, payload: string) => Stored {
  const select = connection.prepare(
    'SELECT key, deleted_at, last_position FROM sessions LEFT JOIN counters ON session_key = key WHERE id = ?',
  )
  const selectItem = connection.prepare(`SELECT ${ITEM_COLUMNS} FROM inbox WHERE session_key = ? AND id = ?`)
  const selectEntry = connection.prepare('SELECT 1 FROM entries WHERE session_key = ? AND id = ?')
  const insert = prepareInsertItem(connection)

  return ({ sessionId, id, at, kind }, payload) => {
    const session = select.get(sessionId) as SessionRow | undefined
    if (session === undefined) throw new StoreError('not-found', `There is no session ${sessionId}.`)
    if (session.deleted_at !== null) {
      throw new StoreError('not-found', `Session ${sessionId} was deleted. Restore it to send messages to it.`)
    }
    const known = selectItem.get(session.key, id) as ItemRow | undefined
    if (known !== undefined) {
      if (known.kind !== kind || known.payload !== payload) throw takenError(id)
      return { item: readItemRow(known, sessionId), status: known.settled_at === null ? 'waiting' : 'settled' }
    }
    if (selectEntry.get(session.key, id) !== undefined) throw takenError(id)
    const row: ItemRow = { id, position: (session.last_position ?? 0) + 1, at, kind, payload, settled_at: null }
    insert(session.key, row)
    return { item: readItemRow(row, sessionId), status: 'new' }
  }
}

interface SessionRow {
  readonly key: number
  readonly deleted_at: number | null
  readonly last_position: number | null
}

function takenError(id: string): StoreError {
  return new StoreError('id-conflict', `Something else was sent as ${id} before. Send this under an id of its own.`)
}
