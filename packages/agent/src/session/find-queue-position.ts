import type { Owner, Store } from '@longhaul/store/port'
import { readOwed } from './find-owed.ts'

interface Line {
  readonly store: Pick<Store, 'inbox' | 'leases' | 'repairHead' | 'sessions'>
  readonly sessionId: string
  readonly owner: Owner
  /** A turn or a request is under way in this process. */
  readonly isBusyHere: boolean
}

/** Where a message stands that is sent now, whichever process has the session; null: it is begun at once. */
export async function findQueuePosition({ store, sessionId, owner, isBusyHere }: Line): Promise<number | null> {
  const [waiting, isBusy] = await Promise.all([
    store.inbox.list(sessionId),
    isBusyHere || isAnsweredElsewhere(store, sessionId, owner),
  ])
  const ahead = waiting.filter(({ kind }) => kind === 'message').length
  return ahead > 0 || isBusy ? ahead + 1 : null
}

/** Another process is in the middle of an answer. */
async function isAnsweredElsewhere(store: Line['store'], sessionId: string, self: Owner): Promise<boolean> {
  const owner = await store.leases.getOwner(sessionId)
  return owner !== null && owner.id !== self.id && (await readOwed(store, sessionId)) !== null
}
