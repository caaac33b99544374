import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Change, Store } from '../port/store.ts'

export interface WatchedChanges {
  /** Resolves once this change was heard of since the last call; one that could be any change counts. */
  hears(sessionId: string, what: Change['what']): Promise<void>
  getHeard(): readonly Change[]
  stop(): void
}

/** "Soon", for a machine that is slow. */
const PATIENCE_MS = 10_000

export function watchChanges(store: Store, watchedSession?: string): WatchedChanges {
  let heard: readonly Change[] = []
  let wake = () => {}
  const stop = store.watch((change) => {
    heard = [...heard, change]
    wake()
  }, watchedSession)
  return {
    async hears(sessionId, what) {
      const isMeant = (change: Change) =>
        (change.sessionId === null || change.sessionId === sessionId) && (change.what === 'any' || change.what === what)
      const patience = new AbortController()
      const waited = setTimeout(PATIENCE_MS, 'too late', { signal: patience.signal })
      for (;;) {
        const place = heard.findIndex(isMeant)
        if (place >= 0) {
          heard = heard.slice(place + 1)
          break
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const outcome = await Promise.race([promise, waited])
        assert.notEqual(outcome, 'too late', `Nobody told of ${what} in session ${sessionId}.`)
      }
      patience.abort()
      await waited.catch(() => {})
    },
    getHeard: () => heard,
    stop,
  }
}
