import { asRecorded, replay } from '@longhaul/replay'
import type { ReplayOptions } from '@longhaul/replay'
import type { ImportedSession } from '@longhaul/store/jsonl'
import type { Goal } from '../report/goal.ts'
import { median } from '../report/percentile.ts'

const MAX_MEDIAN_ERROR = 0.05

/**
 * The cache model against what providers billed: the transcript's own requests, and how much of each was read from the
 * cache. The goal allows one constant a session to be fitted; replay itself also takes the sizes of messages from bills.
 */
export async function checkCache(transcripts: readonly ImportedSession[]): Promise<readonly Goal[]> {
  const name = 'cache-read tokens of each request against the bills: median error at most 5 %'
  return [
    await check(`${name}; one constant fitted, messages counted`, transcripts, { sizes: 'counted' }),
    await check(`${name}; sizes of messages from the bills, as replay takes them`, transcripts, {}),
  ]
}

async function check(name: string, transcripts: readonly ImportedSession[], options: ReplayOptions): Promise<Goal> {
  const { runs } = await replay(transcripts, [asRecorded], options)
  const errors = runs
    .flatMap(({ requests }) => requests)
    .flatMap(({ cacheRead, billedCacheRead }) =>
      billedCacheRead === null ? [] : [Math.abs(cacheRead - billedCacheRead) / Math.max(1, billedCacheRead, cacheRead)],
    )
  if (errors.length === 0) return { name, isHeld: null, measured: 'no bills' }
  const middle = median(errors)
  const close = errors.filter((error) => error <= MAX_MEDIAN_ERROR).length
  return {
    name,
    isHeld: middle <= MAX_MEDIAN_ERROR,
    measured: `${(middle * 100).toFixed(2)} %; ${close} of ${errors.length} requests within 5 %`,
  }
}
