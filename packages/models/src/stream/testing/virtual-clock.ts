import type { Clock } from '../clock.ts'

export interface VirtualClock extends Clock {
  /** As a scripted model takes it. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** How many timers are set and neither ran nor were called off. */
  pending(): number
}

/** Time that jumps to the next timer as soon as everybody waits. */
export function createVirtualClock(): VirtualClock {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  let now = 0
  let isJumping = false

  const jump = (): void => {
    isJumping = false
    const next = [...timers].toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined) return
    timers.delete(next)
    now = Math.max(now, next.at)
    next.run()
    jumpLater()
  }
  /** All promises that can settle do so before; two rounds, because some streams take one of their own. */
  const jumpLater = (): void => {
    if (isJumping || timers.size === 0) return
    isJumping = true
    setImmediate(() => setImmediate(jump))
  }
  const setTimer = (ms: number, run: () => void): (() => void) => {
    const timer = { at: now + ms, run }
    timers.add(timer)
    jumpLater()
    return () => timers.delete(timer)
  }
  return {
    now: () => now,
    setTimer,
    sleep: (ms, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = (): void => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = setTimer(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
      return promise
    },
    pending: () => timers.size,
  }
}
