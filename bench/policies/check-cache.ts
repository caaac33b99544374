import { asRecorded, replay } from '@longhaul/replay'
import type { ImportedSession } from '@longhaul/store/jsonl'
import type { Goal } from '../report/goal.ts'

const MAX_MEDIAN_ERROR = 0.05

/** The cache model against what providers billed: the transcript's own requests, and how much of each was read from the cache. */
export async function checkCache(transcripts: readonly ImportedSession[]): Promise<Goal> {
  const { runs } = await replay(transcripts, [asRecorded], {})
  const errors = runs
    .flatMap(({ requests }) => requests)
    .flatMap(({ cacheRead, billedCacheRead }) =>
      billedCacheRead === null ? [] : [Math.abs(cacheRead - billedCacheRead) / Math.max(1, billedCacheRead, cacheRead)],
    )
    .toSorted((a, b) => a - b)
  const median = errors[Math.floor(errors.length / 2)]
  const close = errors.filter((error) => error <= MAX_MEDIAN_ERROR).length
  return {
    name: 'cache-read tokens of each request against the bills: median error at most 5 %',
    isHeld: median === undefined ? null : median <= MAX_MEDIAN_ERROR,
    measured:
      median === undefined
        ? 'no bills'
        : `${(median * 100).toFixed(2)} %; ${close} of ${errors.length} requests within 5 %`,
  }
}
