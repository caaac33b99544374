import type { SessionRecord } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { walkSessions } from '../records/walk-sessions.ts'
import { StoreError } from '../store-error.ts'

export interface PurgeOptions {
  readonly now: number
  /** Those last changed before this time. */
  readonly before: number
  readonly signal?: AbortSignal | undefined
}

export interface Purge {
  readonly purged: readonly string[]
  readonly inUse: readonly string[]
}

export async function purgeOldSessions(store: Store, { now, before, signal }: PurgeOptions): Promise<Purge> {
  const purged: string[] = []
  const inUse: string[] = []
  try {
    // Hidden ones first: the others join them on the way.
    for (const deleted of [true, false]) {
      for await (const session of walkSessions(store.sessions, { deleted, updatedBefore: before })) {
        signal?.throwIfAborted()
        const isUnused = await hideUnused(store, session, now)
        ;(isUnused ? purged : inUse).push(session.id)
      }
    }
  } finally {
    await purgeAll(store, purged)
  }
  return { purged, inUse }
}

/** All at once: a store may have to rewrite its file to erase one, and erases many at the same cost. */
async function purgeAll(store: Store, ids: readonly string[]): Promise<void> {
  const outcomes = await Promise.allSettled(ids.map((id) => store.sessions.purge(id)))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

/** Once it is hidden, no more messages are taken. If one came just before, it is shown again. */
async function hideUnused(store: Store, { id, deletedAt }: SessionRecord, now: number): Promise<boolean> {
  if (await isInUse(store, id)) return false
  if (deletedAt === null) await setDeleted(store, id, now)
  if (!(await isInUse(store, id))) return true
  if (deletedAt === null) await setDeleted(store, id, null)
  return false
}

/** Another server may have purged it meanwhile. */
async function setDeleted(store: Store, id: string, at: number | null): Promise<void> {
  try {
    await store.sessions.setDeleted(id, at)
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'not-found') throw error
  }
}

async function isInUse(store: Store, id: string): Promise<boolean> {
  return (await store.leases.getOwner(id)) !== null || (await store.inbox.list(id)).length > 0
}
