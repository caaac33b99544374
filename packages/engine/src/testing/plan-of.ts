import type { CompactionPlan } from '../compaction/compaction-plan.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'

/** A plan to summarize these items and keep nothing before the next message. */
export function planOf(span: readonly Item[], more: Partial<CompactionPlan> = {}): CompactionPlan {
  const spanTokens = span.reduce((sum, item) => sum + estimateMessage(item.message, 'plain'), 0)
  const last = span.at(-1)?.entry.seq ?? 0
  return {
    action: 'compact',
    reason: 'threshold',
    strategy: 'summarize',
    move: {
      fromSeq: last + 1,
      firstKept: { id: `m${last + 1}`, seq: last + 1, at: (last + 1) * 1_000 },
      carried: [],
      previous: null,
    },
    span,
    kept: [],
    previousDocument: null,
    tokensBefore: spanTokens + 1_000,
    spanTokens,
    epoch: 0,
    ...more,
  }
}
