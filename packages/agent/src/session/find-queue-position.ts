import type { Owner, Store } from '@longhaul/store/port'

interface Line {
  readonly store: Pick<Store, 'entries' | 'inbox' | 'leases'>
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

/** Bills and settings may follow a message; more than these do not. */
const TAIL_ENTRIES = 10

/** Another process is in the middle of an answer: the transcript ends with something unanswered. */
async function isAnsweredElsewhere(store: Line['store'], sessionId: string, self: Owner): Promise<boolean> {
  const owner = await store.leases.getOwner(sessionId)
  if (owner === null || owner.id === self.id) return false
  const tail = await store.entries.read(sessionId, { limit: TAIL_ENTRIES, fromEnd: true })
  const last = tail.findLast((entry) => entry.type === 'message')
  if (last?.type !== 'message') return false
  return last.role !== 'assistant' || last.parts.some(({ type }) => type === 'tool-call')
}
