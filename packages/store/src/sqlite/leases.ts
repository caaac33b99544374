import type { JsonObject } from '@longhaul/engine/advanced'
import { LEASE_TIMES } from '../owner/lease-times.ts'
import { NOBODY, isDead } from '../owner/owner.ts'
import type { Acquired, Lease, Leases, Owner } from '../port/leases.ts'
import { parseObject } from '../records/entry-text.ts'
import type { Database } from './database/database.ts'
import { leaseLost } from './rows/held-session.ts'
import { createSessionKeys } from './rows/session-keys.ts'
import { prepareSetListed } from './rows/session-rows.ts'

/** The owner of a session, until it runs out and beyond. A session that was given back has no row, unless work was left. */
export interface LeaseRow {
  readonly owner: string
  readonly expires_at: number
}

export function createSqliteLeases(db: Database): Leases {
  const { connection, clock } = db
  const keys = createSessionKeys(connection)
  const acquire = prepareAcquire(db)
  const ofSession = '(SELECT key FROM sessions WHERE id = ?)'
  const select = connection.prepare(`SELECT owner, expires_at FROM leases WHERE session_key = ${ofSession}`)
  const held = `session_key = ${ofSession} AND token = ? AND owner_id = ?`
  const extend = connection.prepare(`UPDATE leases SET expires_at = ? WHERE ${held}`)
  const setWork = connection.prepare(`UPDATE leases SET work = ? WHERE ${held}`)
  const setListed = prepareSetListed(connection)
  const free = connection.prepare(`DELETE FROM leases WHERE ${held} RETURNING session_key`)
  const leave = connection.prepare(
    `UPDATE leases SET owner_id = ?, owner = ?, expires_at = 0, work = ? WHERE ${held} RETURNING session_key`,
  )

  return {
    ...LEASE_TIMES,
    acquire: (sessionId, owner) => db.write(() => acquire(keys.get(sessionId), sessionId, owner)),
    // Owners die with the machine: neither a beat nor a release need outlive it.
    renew: (leases) =>
      db.writeUnsynced(() => {
        const expiresAt = clock() + LEASE_TIMES.ttlMs
        return leases.filter((lease) => extend.run(expiresAt, ...holderOf(lease)).changes === 0)
      }),
    async release(lease, left = null) {
      await db.writeUnsynced(() => {
        const freed =
          left === null
            ? free.get(...holderOf(lease))
            : leave.get(NOBODY.id, JSON.stringify(NOBODY), JSON.stringify(left), ...holderOf(lease))
        if (freed !== undefined) setListed(Number(freed['session_key']))
      })
      db.changes.notify({ sessionId: lease.sessionId, what: 'any' })
    },
    async setWork(lease, work) {
      const text = work === null ? null : JSON.stringify(work)
      await db.write(() => {
        if (setWork.run(text, ...holderOf(lease)).changes === 0) throw leaseLost(lease)
      })
    },
    getOwner: (sessionId) =>
      db.read(() => {
        const row = select.get(sessionId) as LeaseRow | undefined
        return row !== undefined && isOwned(row, clock()) ? readOwner(row) : null
      }),
  }
}

/** Held by somebody who may still be alive. */
export function isOwned(row: LeaseRow, now: number): boolean {
  return row.expires_at > now && !isDead(readOwner(row))
}

interface FullLeaseRow extends LeaseRow {
  readonly token: number
  readonly owner_id: string
  readonly work: string | null
}

function prepareAcquire({ connection, clock }: Database) {
  const select = connection.prepare('SELECT token, owner_id, owner, expires_at, work FROM leases WHERE session_key = ?')
  const nextToken = connection.prepare('UPDATE lease_tokens SET last = last + 1 RETURNING last')
  // Work stays until its new owner says that it is settled.
  const take = connection.prepare(
    `INSERT INTO leases (session_key, token, owner_id, owner, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET token = excluded.token, owner_id = excluded.owner_id, owner = excluded.owner,
     expires_at = excluded.expires_at`,
  )

  return (sessionKey: number, sessionId: string, owner: Owner): Acquired => {
    const now = clock()
    const row = select.get(sessionKey) as FullLeaseRow | undefined
    const isSame = row?.owner_id === owner.id
    if (row !== undefined && !isSame && isOwned(row, now)) {
      return { ok: false, owner: readOwner(row), expiresInMs: row.expires_at - now }
    }
    const token = isSame ? row.token : Number(nextToken.get()?.['last'])
    take.run(sessionKey, token, owner.id, JSON.stringify(owner), now + LEASE_TIMES.ttlMs)
    const work = isSame ? null : (row?.work ?? null)
    const abandoned = work === null ? null : parseObject<JsonObject>(work, `The work left on session ${sessionId}`)
    return { ok: true, lease: { sessionId, token, ownerId: owner.id }, abandoned }
  }
}

function readOwner({ owner }: LeaseRow): Owner {
  return parseObject<Owner>(owner, 'The owner of a session')
}

function holderOf({ sessionId, token, ownerId }: Lease): readonly [string, number, string] {
  return [sessionId, token, ownerId]
}
