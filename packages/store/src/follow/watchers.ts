import type { Change, Store } from '../port/store.ts'

/** Who watches a store. Every backend tells its changes through this. */
export interface Watchers extends Pick<Store, 'watch'> {
  /** Beside the write that it tells of: if a listener throws, the write has succeeded all the same. */
  tell(change: Change): void
  isEmpty(): boolean
  clear(): void
}

interface Watcher {
  readonly listener: (change: Change) => void
}

/** Kept by session: else every change of every session would call every one of hundreds of owners and clients. */
export function createWatchers(): Watchers {
  const bySession = new Map<string | null, Set<Watcher>>()

  function call(watchers: ReadonlySet<Watcher> | undefined, change: Change): void {
    for (const watcher of watchers ?? []) {
      queueMicrotask(() => {
        if (watchers?.has(watcher) === true) watcher.listener(change)
      })
    }
  }

  return {
    tell(change) {
      const { sessionId } = change
      if (sessionId === null) for (const watchers of bySession.values()) call(watchers, change)
      else for (const key of [sessionId, null]) call(bySession.get(key), change)
    },
    watch(listener, sessionId) {
      const watcher = { listener }
      const key = sessionId ?? null
      const watchers = bySession.get(key) ?? new Set()
      bySession.set(key, watchers.add(watcher))
      return () => {
        watchers.delete(watcher)
        if (watchers.size === 0 && bySession.get(key) === watchers) bySession.delete(key)
      }
    },
    isEmpty: () => bySession.size === 0,
    clear() {
      for (const watchers of bySession.values()) watchers.clear()
      bySession.clear()
    },
  }
}
