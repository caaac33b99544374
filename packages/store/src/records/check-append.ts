import type { Entry } from '@longhaul/engine/advanced'
import type { Append } from '../port/entries.ts'
import type { NewSession } from '../port/sessions.ts'
import { StoreError } from '../store-error.ts'
import { checkId, checkNewId } from './check-id.ts'

/** What every backend refuses before it touches anything. */
export function checkAppend({ entries, head, lease }: Append): void {
  if (entries.length > 0) checkEntries(entries, entries[0]?.seq ?? 1)
  const last = entries.at(-1)?.seq
  if (last !== undefined && head.lastSeq !== last) {
    throw new StoreError(
      'invalid',
      `The head of session ${lease.sessionId} ends at ${head.lastSeq}, its entries at ${last}. Fold them first.`,
    )
  }
}

export function checkNewSession(session: SessionToCheck): void {
  checkNewId(session.id, 'session')
  checkSession(session)
}

type SessionToCheck = Pick<NewSession, 'id' | 'createdAt'> & { readonly entries?: readonly Entry[] }

/** The same for one that was stored before, in a backup. */
export function checkSession({ id, createdAt, entries = [] }: SessionToCheck): void {
  checkId(id, 'session')
  if (!Number.isSafeInteger(createdAt)) throw new StoreError('invalid', `Session ${id} has no time of creation.`)
  checkEntries(entries, 1)
}

export function checkEntries(entries: readonly Entry[], firstSeq: number): void {
  const ids = new Set<string>()
  for (const [index, { seq, id }] of entries.entries()) {
    if (seq !== firstSeq + index) {
      throw new StoreError('out-of-order', `Entry ${id} has seq ${seq}, but ${firstSeq + index} is next.`)
    }
    checkId(id, 'message')
    if (ids.has(id)) throw new StoreError('id-conflict', `Two entries are called ${id}.`)
    ids.add(id)
  }
}
