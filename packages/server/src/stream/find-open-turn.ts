import { readOwed } from '@longhaul/runtime'
import type { Store } from '@longhaul/runtime'
import { findTurnStart } from './find-turn-start.ts'
import type { TurnToFollow } from './follow-turn.ts'

/** The newest message of a session that has no answer yet; null: all are answered. */
export async function findOpenTurn(
  store: Pick<Store, 'sessions' | 'repairHead' | 'inbox' | 'entries' | 'events'>,
  sessionId: string,
): Promise<TurnToFollow | null> {
  const waiting = (await store.inbox.list(sessionId)).filter(({ kind }) => kind === 'message')
  const newest = waiting.at(-1)
  if (newest !== undefined) {
    const after = await findTurnStart(store, sessionId, newest)
    return { sessionId, id: newest.id, after, queuedAt: waiting.length }
  }
  const owed = await readOwed(store, sessionId)
  const asked = owed === null ? null : await store.entries.find(sessionId, owed.id)
  return asked === null ? null : { sessionId, id: asked.id, after: await findTurnStart(store, sessionId, asked) }
}
