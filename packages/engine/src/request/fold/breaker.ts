import type { Head } from './state.ts'

/** After this many failures in a row no summary is asked for. */
export const BREAKER_FAILURES = 3
/** An outage is over by then, mostly; and one try in so long costs next to nothing where it is not. */
const REST_MS = 60 * 60_000

/**
 * Whether summaries are made without a model for now: after a rest one more try is allowed, and closes the breaker or
 * starts the next rest. A summary by hand, another model or a reset close it at once.
 */
export function isBreakerOpen({ compactionFailures, compactionFailedAt }: Head, now: number): boolean {
  if (compactionFailures < BREAKER_FAILURES) return false
  return compactionFailedAt === null || now - compactionFailedAt < REST_MS
}
