import type { Change } from '../port/store.ts'

export interface Changes {
  readonly emit: (change: Change) => void
  readonly watch: (listener: (change: Change) => void) => () => void
}

/** A listener runs beside the write that it hears of: if it throws, the write has succeeded all the same. */
export function createChanges(): Changes {
  const listeners = new Set<{ readonly listener: (change: Change) => void }>()
  return {
    emit(change) {
      for (const watcher of listeners) {
        queueMicrotask(() => {
          if (listeners.has(watcher)) watcher.listener(change)
        })
      }
    },
    watch(listener) {
      const watcher = { listener }
      listeners.add(watcher)
      return () => void listeners.delete(watcher)
    },
  }
}
