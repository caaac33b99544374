import type { Inbox, InboxItem, InboxKind, NewInboxItem, Stored } from '../port/inbox.ts'
import { checkNewId } from '../records/check-id.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import { leaseLost, leaseValues } from './leases.ts'

export interface InboxRow {
  readonly session_id: string
  readonly id: string
  readonly position: number
  readonly at: number
  readonly kind: InboxKind
  readonly payload: string
  readonly settled_at: number | null
}

export const INBOX_COLUMNS = 'session_id, id, position, at, kind, payload, settled_at'

export function createPostgresInbox(database: Database, changes: Changes): Inbox {
  const { tables, read, write, change, clock } = database
  return {
    async put(item) {
      checkNewId(item.id, 'message')
      const stored = (await putNew(database, item)) ?? (await findStored(database, item))
      if (stored.status === 'new') changes.emit({ sessionId: item.sessionId, what: 'inbox' })
      return stored
    },
    async list(sessionId) {
      const rows = await read<InboxRow>(
        `select ${INBOX_COLUMNS} from ${tables.inbox} where session_id = $1 and settled_at is null order by position`,
        [toKey(sessionId)],
      )
      return rows.map(toItem)
    },
    async listUnowned(limit) {
      const rows = await read<{ id: string }>(
        `select s.id from ${tables.inbox} i join ${tables.sessions} s on s.id = i.session_id
        where i.settled_at is null and s.deleted_at is null and not exists (
          select from ${tables.leases} l where l.session_id = s.id and l.expires_at > clock_timestamp()
        )
        group by s.id order by min(i.at), min(i.position) limit ${clampLimit(limit)}`,
      )
      return rows.map(({ id }) => id)
    },
    async settle(lease, ids) {
      // Whoever takes the session over waits until this is done, or it is refused.
      const held = await write(
        `with held as (
          select id from ${tables.sessions} where id = $1 and lease_token = $2 and lease_owner_id = $3 for share
        ), settled as (
          update ${tables.inbox} i set settled_at = $5 from held
          where i.session_id = held.id and i.id = any ($4::text[]) and i.settled_at is null
        )
        select id from held`,
        [...leaseValues(lease), ids.map(toKey), clock()],
      )
      if (held.length === 0) throw leaseLost(lease)
      changes.emit({ sessionId: lease.sessionId, what: 'inbox' })
    },
    async deleteSettledBefore(at) {
      return change(`delete from ${tables.inbox} where settled_at < $1`, [at])
    },
  }
}

export function toItem({ session_id, id, position, at, kind, payload }: InboxRow): InboxItem {
  return { sessionId: session_id, id, position, at, kind, payload: parseObject(payload, `Item ${id} of the inbox`) }
}

async function putNew({ tables, write }: Database, item: NewInboxItem): Promise<Stored | null> {
  const { sessionId, id, at, kind, payload } = item
  const [row] = await write<InboxRow>(
    `insert into ${tables.inbox} (session_id, id, at, kind, payload)
    select s.id, $2, $3, $4, $5 from ${tables.sessions} s
    where s.id = $1 and s.deleted_at is null
      and not exists (select from ${tables.entries} e where e.session_id = s.id and e.id = $2)
    on conflict (session_id, id) do nothing
    returning ${INBOX_COLUMNS}`,
    [toKey(sessionId), id, at, kind, JSON.stringify(payload)],
  )
  return row === undefined ? null : { item: toItem(row), status: 'new' }
}

async function findStored({ tables, read }: Database, { sessionId, id, kind, payload }: NewInboxItem): Promise<Stored> {
  const [row] = await read<{ deleted_at: number | null } & (InboxRow | { readonly session_id: null })>(
    `select s.deleted_at, i.* from ${tables.sessions} s
    left join ${tables.inbox} i on i.session_id = s.id and i.id = $2
    where s.id = $1`,
    [toKey(sessionId), id],
  )
  if (row === undefined) throw new StoreError('not-found', `There is no session ${sessionId}.`)
  if (row.deleted_at !== null) {
    throw new StoreError('not-found', `Session ${sessionId} was deleted. Restore it to send messages to it.`)
  }
  if (row.session_id === null) throw new StoreError('id-conflict', `Session ${sessionId} has an entry ${id} already.`)
  if (row.kind !== kind || row.payload !== JSON.stringify(payload)) {
    throw new StoreError('id-conflict', `Something else was sent as ${id} before. Send this under an id of its own.`)
  }
  return { item: toItem(row), status: row.settled_at === null ? 'waiting' : 'settled' }
}
