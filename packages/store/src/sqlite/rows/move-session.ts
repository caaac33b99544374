import type { DatabaseSync } from 'node:sqlite'
import type { Append } from '../../port/entries.ts'
import { findPreview, moveUpdatedAt } from '../../records/describe-session.ts'
import { StoreError } from '../../store-error.ts'
import { leaseLost } from './held-session.ts'

/** Leads a session's row to where an append ends, its title aside, and returns its key. Throws if the append may not be. */
export type MoveSession = (append: Append) => number

/** Every append runs this: it reads no more than the key, and what stays in the row stays there. */
export function prepareMoveSession(connection: DatabaseSync): MoveSession {
  const select = connection.prepare(
    `SELECT key FROM sessions JOIN leases ON session_key = key
     WHERE id = ? AND token = ? AND owner_id = ? AND last_seq = coalesce(?, last_seq) AND epoch = coalesce(?, epoch)`,
  )
  const update = connection.prepare(
    `UPDATE sessions SET updated_at = max(updated_at, ?), last_seq = ?, epoch = ?, preview = coalesce(?, preview), head = ?
     WHERE key = ?`,
  )
  const explain = prepareExplain(connection)

  return (append) => {
    const { lease, entries, head, epoch = null } = append
    const [first] = entries
    const lastSeq = first === undefined ? null : first.seq - 1
    const row = select.get(lease.sessionId, lease.token, lease.ownerId, lastSeq, epoch)
    if (row === undefined) throw explain(append)
    const key = Number(row['key'])
    if (first === undefined) return key
    const updatedAt = moveUpdatedAt(Number.MIN_SAFE_INTEGER, entries)
    const preview = findPreview(entries) ?? null
    update.run(updatedAt, head.lastSeq, head.epoch, preview, JSON.stringify(head), key)
    return key
  }
}

interface OwnedRow {
  readonly last_seq: number
  readonly token: number
  readonly owner_id: string
}

/** Why an append may not be. */
function prepareExplain(connection: DatabaseSync): (append: Append) => StoreError {
  const select = connection.prepare(
    'SELECT last_seq, token, owner_id FROM sessions JOIN leases ON session_key = key WHERE id = ?',
  )
  return ({ lease, entries: [first] }) => {
    const row = select.get(lease.sessionId) as OwnedRow | undefined
    if (row === undefined || row.token !== lease.token || row.owner_id !== lease.ownerId) return leaseLost(lease)
    if (first !== undefined && first.seq !== row.last_seq + 1) {
      return new StoreError('out-of-order', `Entry ${first.id} has seq ${first.seq}, but ${row.last_seq + 1} is next.`)
    }
    return new StoreError('epoch-passed', `Session ${lease.sessionId} has moved on since this was planned. Plan anew.`)
  }
}
