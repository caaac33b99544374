import type { JsonObject } from '@longhaul/engine/advanced'
import type { Acquired, Lease, Leases, Owner } from '../port/leases.ts'
import { LEASE_TIMES } from '../owner/lease-times.ts'
import { NOBODY, isDead } from '../owner/owner.ts'
import { parseObject } from '../records/entry-text.ts'
import { StoreError } from '../store-error.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import type { Query } from './database/statements.ts'

const { ttlMs, beatMs } = LEASE_TIMES

/** By the clock of the server, which all owners share. */
const EXPIRY = `clock_timestamp() + interval '${ttlMs} milliseconds'`

/**
 * Rows, not locks of a connection: those would end with it, and a pooler hands connections around. The token and the
 * owner stand in the row of the session as well, where an append compares them; a beat leaves that row alone.
 */
export function createPostgresLeases(database: Database, changes: Changes): Leases {
  const { tables, read, write, change, transaction } = database
  return {
    ttlMs,
    beatMs,
    acquire: (sessionId, owner) => transaction((query) => acquire(query, database, toKey(sessionId), owner)),
    async renew(leases) {
      const kept = await write<{ session_id: string; token: number; owner_id: string }>(
        `with unsynced as (select set_config('synchronous_commit', 'off', true))
        update ${tables.leases} l set expires_at = ${EXPIRY}
        from unsynced, unnest($1::text[], $2::bigint[], $3::text[]) held (session_id, token, owner_id)
        where l.session_id = held.session_id and l.token = held.token and l.owner_id = held.owner_id
        returning l.session_id, l.token, l.owner_id`,
        [
          leases.map(({ sessionId }) => toKey(sessionId)),
          leases.map(({ token }) => token),
          leases.map(({ ownerId }) => ownerId),
        ],
      )
      return leases.filter(
        ({ sessionId, token, ownerId }) =>
          !kept.some((row) => row.session_id === sessionId && row.token === token && row.owner_id === ownerId),
      )
    },
    async release(lease, left = null) {
      const end =
        left === null
          ? `delete from ${tables.leases} l using freed where l.session_id = freed.id`
          : `update ${tables.leases} l set owner_id = $4, owner = $5, work = $6, expires_at = clock_timestamp()
            from freed where l.session_id = freed.id`
      const freed = await change(
        `with freed as (
          update ${tables.sessions} set
            lease_token = 0, lease_owner_id = null, listed_at = updated_at, listed_seq = last_seq
          where id = $1 and lease_token = $2 and lease_owner_id = $3
          returning id
        )
        ${end}`,
        [...leaseValues(lease), ...(left === null ? [] : [NOBODY.id, JSON.stringify(NOBODY), JSON.stringify(left)])],
      )
      // Whatever still waits is for somebody else now.
      if (freed > 0) changes.emit({ sessionId: lease.sessionId, what: 'inbox' })
    },
    async setWork(lease, work) {
      const noted = await change(
        `update ${tables.leases} set work = $4 where session_id = $1 and token = $2 and owner_id = $3`,
        [...leaseValues(lease), work === null ? null : JSON.stringify(work)],
      )
      if (noted === 0) throw leaseLost(lease)
    },
    async getOwner(sessionId) {
      const [row] = await read<{ owner: string }>(
        `select owner from ${tables.leases} where session_id = $1 and expires_at > clock_timestamp()`,
        [toKey(sessionId)],
      )
      return row === undefined ? null : readOwner(row.owner, sessionId)
    },
  }
}

export function leaseLost({ sessionId, ownerId }: Lease): StoreError {
  return new StoreError('lease-lost', `Session ${sessionId} is no longer owned by ${ownerId}. Write nothing more.`)
}

interface LeaseRow {
  readonly token: number
  readonly owner: string
  readonly work: string | null
  readonly expires_in_ms: number
}

/** The row of the session is locked first, so that of several that ask one gets it; then the lease, against a beat. */
async function acquire(query: Query, { tables }: Database, sessionId: string, owner: Owner): Promise<Acquired> {
  const [session] = await query(`select from ${tables.sessions} where id = $1 for update`, [sessionId])
  if (session === undefined) throw new StoreError('not-found', `There is no session ${sessionId}.`)
  const [row] = await query<LeaseRow>(
    `select token, owner, work, ceil(extract(epoch from expires_at - clock_timestamp()) * 1000)::integer as expires_in_ms
    from ${tables.leases} where session_id = $1 for update`,
    [sessionId],
  )
  const held = row === undefined ? null : readOwner(row.owner, sessionId)
  if (row !== undefined && held?.id === owner.id) {
    await query(`update ${tables.leases} set expires_at = ${EXPIRY} where session_id = $1`, [sessionId])
    return { ok: true, lease: { sessionId, token: row.token, ownerId: owner.id }, abandoned: null }
  }
  if (row !== undefined && held !== null && row.expires_in_ms > 0 && !isDead(held)) {
    return { ok: false, owner: held, expiresInMs: row.expires_in_ms }
  }
  const token = await take(query, tables, sessionId, owner)
  const abandoned = row?.work ?? null
  return {
    ok: true,
    lease: { sessionId, token, ownerId: owner.id },
    abandoned: abandoned === null ? null : parseObject<JsonObject>(abandoned, `The work of session ${sessionId}`),
  }
}

/** Tokens are never used twice, also for a session that is made again under the id of a purged one. */
async function take(query: Query, tables: Database['tables'], sessionId: string, owner: Owner): Promise<number> {
  const [row] = await query<{ token: number }>(
    `with moved as (
      update ${tables.sessions} set lease_token = nextval('${tables.lease_tokens}'), lease_owner_id = $2
      where id = $1 returning id, lease_token
    )
    insert into ${tables.leases} (session_id, token, owner_id, owner, expires_at)
    select id, lease_token, $2, $3, ${EXPIRY} from moved
    on conflict (session_id) do update set
      token = excluded.token, owner_id = excluded.owner_id, owner = excluded.owner, expires_at = excluded.expires_at
    returning token`,
    [sessionId, owner.id, JSON.stringify(owner)],
  )
  if (row === undefined) throw new StoreError('not-found', `There is no session ${sessionId}.`)
  return row.token
}

export function leaseValues({ sessionId, token, ownerId }: Lease): readonly unknown[] {
  return [toKey(sessionId), token, ownerId]
}

function readOwner(text: string, sessionId: string): Owner {
  return parseObject(text, `The owner of session ${sessionId}`)
}
