import type { CompactionPlan, TrimPlan } from '../../compaction/compaction-plan.ts'
import type { State } from '../fold/state.ts'

/**
 * May work that was prepared beside the conversation be committed now? Not after the base moved or the model changed.
 * What was said, pinned or pruned meanwhile does no harm: it lies in the part that is kept, or its decision stays in force.
 */
export function isStillValid({ epoch }: Pick<CompactionPlan | TrimPlan, 'epoch'>, state: State): boolean {
  return epoch === state.head.epoch
}
