import type { Store } from '@longhaul/runtime'
import { findTurnStart } from './find-turn-start.ts'
import type { TurnToFollow } from './follow-turn.ts'
import { owesAnswer } from './open-work.ts'

const LAST_ENTRIES = 200

/** The newest message of a session that has no answer yet; null: all are answered. */
export async function findOpenTurn(
  store: Pick<Store, 'inbox' | 'entries' | 'events' | 'requests'>,
  sessionId: string,
): Promise<TurnToFollow | null> {
  const waiting = (await store.inbox.list(sessionId)).filter(({ kind }) => kind === 'message')
  const newest = waiting.at(-1)
  if (newest !== undefined) {
    const after = await findTurnStart(store, sessionId, newest)
    return { sessionId, id: newest.id, after, queuedAt: waiting.length }
  }
  if (!(await owesAnswer(store, sessionId))) return null
  const entries = await store.entries.read(sessionId, { fromEnd: true, limit: LAST_ENTRIES })
  const asked = entries.findLast((entry) => entry.type === 'message' && entry.role === 'user')
  return asked === undefined ? null : { sessionId, id: asked.id, after: await findTurnStart(store, sessionId, asked) }
}
