import { runCompaction } from '../../compaction/run-compaction.ts'
import { createStrategies } from '../../compaction/strategies.ts'
import type { AskModel, CancelSignal, CompactionStrategy } from '../../compaction/strategy.ts'
import type { Entry } from '../../transcript/entry.ts'
import { createMoveMeter } from './measure-move.ts'
import { createPruneEntry, createTrimEntry } from './plan-entries.ts'
import type { PlannedStep } from './planned-step.ts'
import type { SessionContext } from './session-context.ts'

type Unwritten<T> = T extends Entry ? Omit<T, 'seq' | 'id' | 'at'> : never

/** An entry without its place, name and time: those are the writer's. */
export type EntryBody = Unwritten<Entry>

export interface CarryOutOptions {
  readonly ask: AskModel
  readonly signal?: CancelSignal
  readonly strategies?: ReadonlyMap<string, CompactionStrategy>
}

const BUILT_IN = createStrategies()

/**
 * Does what a plan says and returns the entry to append, or null where there is nothing more to do before the request.
 * For loops of one's own: append, fold, plan again, until it is null. A flush is only noted; who has a memory saves to it
 * first. A summary that fails is noted too, and three failures lead to what needs no model.
 */
export async function carryOut(
  step: PlannedStep,
  context: SessionContext,
  { ask, signal = { aborted: false }, strategies = BUILT_IN }: CarryOutOptions,
): Promise<EntryBody | null> {
  const { policy, limits } = context
  switch (step.action) {
    case 'prune':
      return createPruneEntry(step.prune)
    case 'trim':
      return createTrimEntry(step.trim, context)
    case 'flush':
      return { type: 'flush', outcome: 'silent' }
    case 'compact': {
      if (limits === null) return null
      const measureAfter = createMoveMeter(context)
      const run = { plan: step.compaction, policy, limits, strategies, ask, signal, measureAfter }
      const outcome = await runCompaction(run)
      if (outcome.kind === 'compacted') return outcome.entry
      if (outcome.kind === 'cancelled') return null
      return { type: 'maintenance-failed', work: 'compaction', reason: outcome.problems.join('; ') }
    }
    case 'prepare':
    case 'proceed':
    case 'block':
      return null
    default:
      return step satisfies never
  }
}
