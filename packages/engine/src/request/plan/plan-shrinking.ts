import type { CompactionPlan, NoCompaction, TrimPlan } from '../../compaction/compaction-plan.ts'
import { planCompaction } from '../../compaction/plan-compaction.ts'
import { planTrim } from '../../compaction/plan-trim.ts'
import { MODEL_FREE_STRATEGY } from '../../compaction/strategy.ts'
import { planResultTrim } from '../../pruning/plan-result-trim.ts'
import type { PrunePlan } from '../../pruning/prune-plan.ts'
import type { CompactionReason } from '../../transcript/entry.ts'
import type { PlannedStep } from './planned-step.ts'
import { contextItems } from './session-context.ts'
import type { SessionContext } from './session-context.ts'

export interface ShrinkOptions {
  readonly reason: CompactionReason
  readonly tokensBefore: number
  readonly instructions?: string
  readonly requestId?: string
  readonly strategy?: string
  /** Only what must be kept is kept. */
  readonly isMinimal?: boolean
}

/** A compaction of what the state holds now: for the threshold, for `/compact`, for a recovery. */
export function planShrinking(context: SessionContext, options: ShrinkOptions): CompactionPlan | NoCompaction {
  const { state, policy, limits, calibration } = context
  return planCompaction({
    strategy: policy.compaction.strategy,
    ...options,
    items: contextItems(state),
    carriedCount: state.carried.length,
    base: state.head.base.entry,
    document: state.document,
    epoch: state.head.epoch,
    policy,
    limits,
    ratio: calibration.ratio,
  })
}

/** What was tried and did not work: a compaction's plan will do. */
export type FailedShrinking = Pick<ShrinkOptions, 'reason' | 'tokensBefore' | 'instructions' | 'requestId'>

/** A trim goes this far below the threshold, so that the next one is some turns away: each breaks a prompt cache. */
const TRIM_DEPTH = 0.8

/**
 * Steps to try when no summary can be had, in this order; none needs a model. A summary by rules comes first, then one of
 * all that may go, and the oldest messages are left out last. Unless the request must shrink, a policy with summaries by
 * rules leaves nothing out, and one that counts messages leaves out only those above its count.
 */
export function planFallbacks(context: SessionContext, failed: FailedShrinking): readonly PlannedStep[] {
  const { tokensBefore: usedTokens, reason, instructions, requestId } = failed
  const { policy, limits } = context
  const { fallback } = policy.compaction
  const isPressed = reason === 'window' || reason === 'model-switch' || reason === 'overflow'
  const steps: PlannedStep[] = []
  if (fallback === 'extractive') {
    for (const isMinimal of isPressed ? [false, true] : [false]) {
      const asked = {
        ...(instructions === undefined ? {} : { instructions }),
        ...(requestId === undefined ? {} : { requestId }),
      }
      const options = { reason, tokensBefore: usedTokens, strategy: MODEL_FREE_STRATEGY, isMinimal, ...asked }
      const compaction = planShrinking(context, options)
      if (compaction.action === 'compact') steps.push({ action: 'compact', reason, timing: 'wait', compaction })
    }
    if (!isPressed) return steps
  }
  const isByTokens = limits !== null && (isPressed || fallback !== 'trim-count')
  const trim = planTrimming(context, {
    reason: 'summary-failed',
    usedTokens,
    dropTokens: isByTokens ? usedTokens - limits.triggerTokens * TRIM_DEPTH : 0,
    dropMessages: fallback === 'trim-count' ? countExcess(context) : 0,
  })
  if (trim !== null) steps.push({ action: 'trim', reason: trim.reason, trim })
  return steps
}

/** Cuts the long tool results of the context, for a request that nothing else could make small enough. */
export function planResultTrimming({ state, policy }: SessionContext): PrunePlan | null {
  return planResultTrim(contextItems(state), policy.estimator)
}

export interface TrimOptions {
  readonly reason: TrimPlan['reason']
  readonly usedTokens: number
  readonly dropTokens: number
  readonly dropMessages: number
}

/** Leaving out the oldest of what the state holds now. */
export function planTrimming({ state, policy, calibration }: SessionContext, options: TrimOptions): TrimPlan | null {
  const { usedTokens, ...rest } = options
  return planTrim({
    ...rest,
    items: contextItems(state),
    carriedCount: state.carried.length,
    base: state.head.base.entry,
    epoch: state.head.epoch,
    policy,
    ratio: calibration.ratio,
    tokensBefore: usedTokens,
    alreadyDropped: state.head.base.dropped,
    holdsFirstAsk: state.document === null,
  })
}

function countExcess({ state, policy }: SessionContext): number {
  const { maxMessages } = policy.compaction
  return maxMessages === null ? 0 : Math.max(0, contextItems(state).length - maxMessages)
}
