import { followEvents } from '@longhaul/runtime'
import type { Store, StoredEvent } from '@longhaul/runtime'

interface FollowWish {
  /** The last event that was seen. */
  readonly after: number
  readonly signal: AbortSignal
}

/** Events of sessions, for any number of clients. */
export interface SessionFollower {
  /** In order, each once; ends with its signal. What a slow reader has not asked for waits in the store. */
  follow(sessionId: string, wish: FollowWish): AsyncGenerator<StoredEvent>
  /** Sessions somebody watches at the moment. */
  followed(): readonly string[]
}

export function createSessionFollower(store: Store): SessionFollower {
  const following = new Set<{ readonly sessionId: string }>()
  return {
    async *follow(sessionId, wish) {
      const one = { sessionId }
      following.add(one)
      try {
        yield* followEvents(store, sessionId, wish)
      } finally {
        following.delete(one)
      }
    },
    followed: () => [...new Set([...following].map(({ sessionId }) => sessionId))],
  }
}
