import type { DatabaseSync } from 'node:sqlite'
import type { Lease } from '../../port/leases.ts'
import { StoreError } from '../../store-error.ts'

/** The key of the session that a lease is for. Throws if somebody else has it now, or nobody. */
export function prepareGetHeld(connection: DatabaseSync): (lease: Lease) => number {
  const select = connection.prepare(
    'SELECT key FROM sessions JOIN leases ON session_key = key WHERE id = ? AND token = ? AND owner_id = ?',
  )
  return (lease) => {
    const row = select.get(lease.sessionId, lease.token, lease.ownerId)
    if (row === undefined) throw leaseLost(lease)
    return Number(row['key'])
  }
}

export function leaseLost({ sessionId }: Lease): StoreError {
  return new StoreError('lease-lost', `Session ${sessionId} has another owner now. Stop writing to it.`)
}
