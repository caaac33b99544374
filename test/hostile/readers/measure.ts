/** Processor time of this thread for one run, in milliseconds. What other programs do meanwhile does not count. */
export function timeOf(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** The best of some runs: a collection of garbage or a compilation falls into one of them, not into all. */
export function bestOf(tries: number, run: () => unknown): number {
  let best = timeOf(run)
  for (let left = tries - 1; left > 0; left -= 1) best = Math.min(best, timeOf(run))
  return best
}

export function repeat(sequence: string, chars: number): string {
  return sequence.repeat(Math.ceil(chars / sequence.length)).slice(0, chars)
}
