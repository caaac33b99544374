/** Time, from outside: tests need not wait. */
export interface Clock {
  now(): number
  /** Runs once, after so many milliseconds; the returned function calls it off. */
  setTimer(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
