import type { CompactionPlan, TrimPlan } from '../../compaction/compaction-plan.ts'
import type { State } from '../fold/state.ts'

/**
 * May work that was prepared beside the conversation be committed now? Not after the base moved or the model changed.
 * What was said or pinned meanwhile does no harm: it lies in the part that is kept. But what was pruned meanwhile may have
 * made the context smaller than the summary would: measure with `createMoveMeter` again and commit only what still shrinks.
 */
export function isStillValid({ epoch }: Pick<CompactionPlan | TrimPlan, 'epoch'>, state: State): boolean {
  return epoch === state.head.epoch
}
