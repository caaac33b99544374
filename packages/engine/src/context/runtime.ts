import type { Clock, StopSignal, StopSource } from './ports.ts'

/**
 * The clock, ids and stop signals of the program that a context runs in: Node, a browser or a worker. The only file of
 * the engine that touches them; each can be replaced by an option of `createContext`.
 */
export const runtimeClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS))
    // A wait for maintenance must not keep a program alive that has nothing else to do.
    if (typeof timer === 'object') timer.unref?.()
    return () => clearTimeout(timer)
  },
}

/** A stop source of the program itself: its signal can be given to `fetch`. */
export interface PlatformStop extends StopSource {
  readonly signal: PlatformSignal
}

export function createStop(): PlatformStop {
  return new AbortController()
}

/** Lets everything run that is due, a request that is being sent among it. */
export function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0))
}

export function createRandomId(): string {
  return crypto.randomUUID()
}

/** The `AbortSignal` of the program's own types, where it has one. */
export type PlatformSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : StopSignal

/** Timers that are set for longer fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

// Declared here, because the engine is compiled without the types of Node and browsers.
type Timer = number | { unref?: () => void }
declare const setTimeout: (run: () => void, ms: number) => Timer
declare const clearTimeout: (timer: Timer) => void
declare const AbortController: new () => PlatformStop
declare const crypto: { randomUUID(): string }
