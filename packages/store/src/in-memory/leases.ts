import type { Lease, Leases, Owner } from '../port/leases.ts'
import { LEASE_TIMES } from '../owner/lease-times.ts'
import { isDead } from '../owner/owner.ts'
import { StoreError } from '../store-error.ts'
import { contentOf, findSession, getSession } from './data.ts'
import type { Data, LeaseRow, SessionRow } from './data.ts'

const { ttlMs, beatMs } = LEASE_TIMES

export function createInMemoryLeases(data: Data): Leases {
  return {
    ttlMs,
    beatMs,
    async acquire(sessionId, owner) {
      const { lease: row } = getSession(data, sessionId)
      const now = data.clock()
      const isSame = row.owner?.id === owner.id
      if (row.owner !== null && !isSame && isOwned(row, now) && !isDead(row.owner)) {
        return { ok: false, owner: row.owner, expiresInMs: row.expiresAt - now }
      }
      if (!isSame) row.token = nextToken(data)
      row.owner = structuredClone(owner)
      row.expiresAt = now + ttlMs
      const lease = { sessionId, token: row.token, ownerId: owner.id }
      return { ok: true, lease, abandoned: isSame ? null : structuredClone(row.work) }
    },
    async renew(leases) {
      const expiresAt = data.clock() + ttlMs
      return leases.filter((lease) => {
        const row = findOwned(data, lease)
        if (row !== undefined) row.lease.expiresAt = expiresAt
        return row === undefined
      })
    },
    async release(lease, left = null) {
      const row = findOwned(data, lease)
      if (row === undefined) return
      row.lease.owner = null
      row.lease.work = structuredClone(left)
      // Whatever still waits is for somebody else now.
      data.changes.tell({ sessionId: row.id, what: 'inbox' })
    },
    async setWork(lease, work) {
      getOwned(data, lease).lease.work = structuredClone(work)
    },
    async getOwner(sessionId): Promise<Owner | null> {
      const row = findSession(data, sessionId)?.lease
      return row !== undefined && isOwned(row, data.clock()) ? structuredClone(row.owner) : null
    },
  }
}

/** The session of a lease that nobody has taken since, run out or not. */
export function getOwned(data: Data, lease: Lease): SessionRow {
  const row = findOwned(data, lease)
  if (row !== undefined) return row
  throw new StoreError(
    'lease-lost',
    `Session ${lease.sessionId} is no longer owned by ${lease.ownerId}. Write nothing more.`,
  )
}

export function isOwned({ owner, expiresAt }: LeaseRow, now: number): boolean {
  return owner !== null && expiresAt > now
}

function nextToken(data: Data): number {
  const content = contentOf(data)
  content.lastToken += 1
  return content.lastToken
}

function findOwned(data: Data, { sessionId, token, ownerId }: Lease): SessionRow | undefined {
  const row = findSession(data, sessionId)
  return row?.lease.token === token && row.lease.owner?.id === ownerId ? row : undefined
}
