import type { TrimPlan } from '../../compaction/compaction-plan.ts'
import type { PrunePlan } from '../../pruning/prune-plan.ts'
import type { PruneEntry, TrimEntry } from '../../transcript/entry.ts'
import { createMoveMeter } from './measure-move.ts'
import type { SessionContext } from './session-context.ts'

/** What carrying a plan out writes; id, time and place in the transcript are the writer's. */
type Written<T> = Omit<T, 'seq' | 'id' | 'at'>

export function createPruneEntry({ reason, decisions }: PrunePlan): Written<PruneEntry> {
  return { type: 'prune', reason, decisions }
}

export function createTrimEntry(
  { reason, move, dropped, note, tokensBefore }: TrimPlan,
  context: SessionContext,
): Written<TrimEntry> {
  const { base } = context.state.head
  return {
    type: 'trim',
    reason,
    ...move,
    summary: base.summary,
    dropped: base.dropped + dropped.length,
    note,
    tokensBefore,
    tokensAfter: createMoveMeter(context)({ move, document: null, note }),
  }
}
