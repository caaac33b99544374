import type { Clock } from './clock.ts'

/** Why a call was cut from outside. `silent` ends one attempt; the others end the call. */
export type Cut = 'aborted' | 'silent' | 'total'

export const CUT = Symbol('cut')

/** Watches over one call: the caller's signal, the time-outs, and that nothing is left running. */
export interface CallGuard {
  /** For a new attempt, what its HTTP request is to obey. */
  openAttempt(): AbortSignal
  /** Stops whatever the attempt still does. */
  closeAttempt(): void
  /** Settles as the promise does, unless the call is cut first or nothing happens within the time. */
  wait<T>(promise: PromiseLike<T>, withinMs: number): Promise<T | typeof CUT>
  pause(ms: number): Promise<typeof CUT | undefined>
  /** Why the call, or the attempt that is open, was cut. */
  cut(): Cut | null
  /** The caller left; nobody waits for an answer any more. */
  leave(): void
  close(): void
}

export interface GuardOptions {
  readonly signal: AbortSignal
  readonly totalMs: number
  readonly clock: Clock
}

export function createCallGuard({ signal, totalMs, clock }: GuardOptions): CallGuard {
  let attempt = new AbortController()
  let reason: Cut | null = null
  let interrupt: (() => void) | null = null

  const cut = (why: Cut): void => {
    if (reason !== null) return
    reason = why
    interrupt?.()
    attempt.abort()
  }
  const abort = (): void => cut('aborted')
  signal.addEventListener('abort', abort)
  const cancelTotal = setTimer(clock, totalMs, () => cut('total'))
  if (signal.aborted) abort()

  const wait = async <T>(promise: PromiseLike<T>, withinMs: number): Promise<T | typeof CUT> => {
    if (reason !== null) {
      ignoreOutcome(promise)
      return CUT
    }
    const cancelTimer = setTimer(clock, withinMs, () => cut('silent'))
    const { promise: interrupted, resolve } = Promise.withResolvers<typeof CUT>()
    interrupt = () => resolve(CUT)
    try {
      return await Promise.race([promise, interrupted])
    } finally {
      interrupt = null
      cancelTimer()
    }
  }

  return {
    openAttempt: () => {
      attempt = new AbortController()
      if (reason !== null) attempt.abort()
      return attempt.signal
    },
    closeAttempt: () => {
      attempt.abort(OVER)
      if (reason === 'silent') reason = null
    },
    wait,
    pause: async (ms) => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const cancelTimer = setTimer(clock, ms, () => resolve(undefined))
      try {
        return await wait(promise, Infinity)
      } finally {
        cancelTimer()
      }
    },
    cut: () => reason,
    leave: () => cut('aborted'),
    close: () => {
      signal.removeEventListener('abort', abort)
      cancelTotal()
      attempt.abort(OVER)
    },
  }
}

/** Nobody reads it, so one does for all: a new one at the end of each call would note where it was made, which is dear. */
const OVER = new DOMException('The call is over.', 'AbortError')

/** What a timer can hold; beyond it timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

function setTimer(clock: Clock, ms: number, run: () => void): () => void {
  return ms > MAX_TIMER_MS ? () => {} : clock.setTimer(ms, run)
}

/** A promise nobody waits for any more may still fail, and must not bring the process down. */
function ignoreOutcome(promise: PromiseLike<unknown>): void {
  Promise.resolve(promise).catch(() => {})
}
