import type { ResolvedOptions } from './active-session.ts'
import { readOwed } from './find-owed.ts'

type Agent = Pick<ResolvedOptions, 'store' | 'owner'>

/**
 * Where a message stands that is sent now, whichever process has the session; null: it is begun at once. `isBusyHere`: a
 * turn or a request is under way in this process.
 */
export async function findQueuePosition(agent: Agent, sessionId: string, isBusyHere: boolean): Promise<number | null> {
  const [waiting, isBusy] = await Promise.all([
    agent.store.inbox.list(sessionId),
    isBusyHere || isAnsweredElsewhere(agent, sessionId),
  ])
  const ahead = waiting.filter(({ kind }) => kind === 'message').length
  return ahead > 0 || isBusy ? ahead + 1 : null
}

/** Another process is in the middle of an answer. */
async function isAnsweredElsewhere({ store, owner: self }: Agent, sessionId: string): Promise<boolean> {
  const owner = await store.leases.getOwner(sessionId)
  return owner !== null && owner.id !== self.id && (await readOwed(store, sessionId)) !== null
}
