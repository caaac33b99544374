import { followSession } from '@longhaul/runtime'
import type { FollowedEvent, FollowedSystem } from '@longhaul/runtime'

interface FollowWish {
  /** The last event that was seen. */
  readonly after: number
  readonly signal: AbortSignal
}

/** Events of sessions, for any number of clients. */
export interface SessionFollower {
  /** In order, each once; ends with its signal. What a slow reader has not asked for waits in the store. */
  follow(sessionId: string, wish: FollowWish): AsyncGenerator<FollowedEvent>
  /** Sessions somebody watches at the moment. */
  followed(): readonly string[]
}

export function createSessionFollower(system: FollowedSystem): SessionFollower {
  const following = new Set<{ readonly sessionId: string }>()
  return {
    async *follow(sessionId, wish) {
      const one = { sessionId }
      following.add(one)
      try {
        yield* followSession(system, sessionId, wish)
      } finally {
        following.delete(one)
      }
    },
    followed: () => [...new Set([...following].map(({ sessionId }) => sessionId))],
  }
}
