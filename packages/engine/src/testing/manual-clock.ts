import type { Clock } from '../context/ports.ts'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Lets time pass, timer by timer, with everything that follows from each. */
  pass(ms: number): Promise<void>
  /** How many timers are set. */
  waiting(): number
}

export function createManualClock(): ManualClock {
  let time = 1_700_000_000_000
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  return {
    now: () => time,
    after(ms, run) {
      const key = {}
      timers.set(key, { at: time + ms, run })
      return () => void timers.delete(key)
    },
    async pass(ms) {
      const end = time + ms
      for (;;) {
        await settle()
        const [next] = [...timers].toSorted(([, a], [, b]) => a.at - b.at)
        if (next === undefined || next[1].at > end) break
        const [key, { at, run }] = next
        timers.delete(key)
        time = at
        run()
      }
      time = end
      await settle()
    },
    waiting: () => timers.size,
  }
}

/** Lets every promise that can go on go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
