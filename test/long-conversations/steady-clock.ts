/** A clock that does not count the time in which this process did not run, because others had the processor. */
export interface SteadyClock {
  readonly now: () => number
  readonly stop: () => void
}

const TICK_MS = 5
/** A tick that comes later than this was late for reasons of the machine. */
const MAX_TICK_MS = 25

export function createSteadyClock(): SteadyClock {
  let counted = 0
  let last = performance.now()
  const sinceTick = (): number => Math.min(performance.now() - last, MAX_TICK_MS)
  const timer = setInterval(() => {
    counted += sinceTick()
    last = performance.now()
  }, TICK_MS)
  return { now: () => counted + sinceTick(), stop: () => clearInterval(timer) }
}
