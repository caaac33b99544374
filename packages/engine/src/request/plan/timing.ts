import type { CompactionPolicy } from '../../policy/policy.ts'

/**
 * How work that is due relates to the conversation. A threshold is a wish, the window is a wall:
 *
 *     due               timing: beside                               timing: before-call
 *     shortly before    ahead: a summary is made and kept            ahead
 *     threshold         beside: the next request does not wait       wait: for a bounded time
 *     window            wait: for a bounded time, then for code      wait
 *
 * `ahead` and `beside` hold nothing up: a summary that is ready is put in place between two requests. Whoever waits, waits
 * for one bounded time in a turn, whatever the number of calls (`context/patience.ts`).
 */
export type Timing = 'ahead' | 'beside' | 'wait'

export type DueWork = 'prepare' | 'threshold' | 'window'

export function timeCompaction(due: DueWork, { timing }: CompactionPolicy): Timing {
  if (due === 'window') return 'wait'
  if (due === 'prepare') return 'ahead'
  return timing === 'beside' ? 'beside' : 'wait'
}

/** Memory is saved from a copy of the conversation, so nothing is lost when a compaction overtakes it. */
export function timeFlush({ timing }: CompactionPolicy): Exclude<Timing, 'ahead'> {
  return timing === 'beside' ? 'beside' : 'wait'
}
