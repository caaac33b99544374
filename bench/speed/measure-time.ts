import { median, percentile } from '../report/percentile.ts'

export interface Timing {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly meanMs: number
  readonly bestMs: number
}

export interface TimingOptions {
  readonly maxRuns: number
  /** No further run starts after this; there is always one. */
  readonly maxTotalMs: number
}

const WARM_UPS = 2

export async function measureTime(work: () => unknown, { maxRuns, maxTotalMs }: TimingOptions): Promise<Timing> {
  const samples: number[] = []
  const begin = performance.now()
  for (let run = 0; run < WARM_UPS + maxRuns; run += 1) {
    const start = performance.now()
    const result = work()
    // A turn of the event loop would be measured too, so only real promises are awaited.
    if (result instanceof Promise) await result
    const end = performance.now()
    if (run >= WARM_UPS || end - begin > maxTotalMs) samples.push(end - start)
    if (end - begin > maxTotalMs) break
  }
  return summariseTimes(samples)
}

export function summariseTimes(samples: readonly number[]): Timing {
  return {
    p50Ms: median(samples),
    p95Ms: percentile(samples, 0.95),
    meanMs: samples.reduce((sum, ms) => sum + ms, 0) / samples.length,
    bestMs: Math.min(...samples),
  }
}

/** The same series, taken several times: for each place in it one value, so that what other programs did drops out. */
export function mergeSeries(series: readonly (readonly number[])[], choose: 'middle' | 'best'): readonly number[] {
  return (series[0] ?? []).map((_, index) => {
    const values = series.map((run) => run[index] ?? Number.NaN)
    return choose === 'best' ? Math.min(...values) : median(values)
  })
}
