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

type Listener = Parameters<Store['watch']>[0]

/**
 * One watcher of the store for all clients: a change rings only for those who follow its session. Without this, every
 * event of every session would wake every open stream.
 */
export function createSessionFollower(store: Store): SessionFollower {
  const bySession = new Map<string, Set<Listener>>()
  let stopWatching: (() => void) | null = null

  const hear: Listener = (change) => {
    const rung = change.sessionId === null ? [...bySession.values()] : [bySession.get(change.sessionId) ?? []]
    for (const listeners of rung) for (const listener of listeners) listener(change)
  }

  function watchSession(sessionId: string, listener: Listener): () => void {
    const listeners = bySession.get(sessionId) ?? new Set()
    bySession.set(sessionId, listeners.add(listener))
    stopWatching ??= store.watch(hear)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && bySession.get(sessionId) === listeners) bySession.delete(sessionId)
      if (bySession.size > 0) return
      stopWatching?.()
      stopWatching = null
    }
  }

  return {
    follow(sessionId, wish) {
      const watched: Store = { ...store, watch: (listener) => watchSession(sessionId, listener) }
      return followEvents(watched, sessionId, wish)
    },
    followed: () => [...bySession.keys()],
  }
}
