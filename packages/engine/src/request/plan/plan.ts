import { findTrigger, isAutomatic, isCheckedAt } from '../../compaction/trigger.ts'
import type { CheckPoint, Trigger } from '../../compaction/trigger.ts'
import { MODEL_FREE_STRATEGY } from '../../compaction/strategy.ts'
import { planFlush } from '../../flush/plan-flush.ts'
import { planOversized } from '../../pruning/plan-oversized.ts'
import { planPruning } from '../../pruning/plan-pruning.ts'
import { BREAKER_FAILURES, isBreakerOpen } from '../fold/breaker.ts'
import { findCulprit } from './find-culprit.ts'
import { measureView } from '../view/measure-view.ts'
import { planFallbacks, planShrinking, planTrimming } from './plan-shrinking.ts'
import type { FailedShrinking } from './plan-shrinking.ts'
import type { Plan, PlannedStep } from './planned-step.ts'
import { timeCompaction, timeFlush } from './timing.ts'
import { isOtherModel } from '../../tokens/trace-prefix.ts'
import { contextItems } from './session-context.ts'
import type { SessionContext } from './session-context.ts'
import { countMessages } from '../view/count-messages.ts'
import { createView } from '../view/view.ts'
import type { View } from '../view/view.ts'

/** The exchange under way may take this share of a request; it is kept whole through compactions and trims. */
const MAX_EXCHANGE_SHARE = 0.5
const MESSAGE_TRIM_SHARE = 0.2

export interface PlanInput extends SessionContext {
  readonly checkPoint: CheckPoint
  readonly now: number
  /** Whether memory can be saved now. Default: yes. */
  readonly canFlush?: boolean
  /** A summary is under way, and the answer can do with less room until it is there. */
  readonly isUnderWay?: boolean
}

/**
 * The next thing to do at a check point. Carry it out, append its entry, fold, and ask again, until it says `proceed`
 * (or `block`). Each step says whether it is waited for (`timing.ts`). What fails is recorded as an entry, so every answer
 * differs from the one before, and the asking ends. The driver in `context/` is the one caller.
 */
export function planNext(input: PlanInput): Plan {
  const { policy, limits, checkPoint, isUnderWay = false } = input
  const view = createView(input.state, policy)
  const { reading } = measureView(view, { ...input, estimator: policy.estimator })
  const usedTokens = reading.tokens ?? 0
  const trigger: Trigger =
    limits === null
      ? { due: null, thresholdTokens: null }
      : findTrigger({
          usedTokens,
          limits,
          policy: policy.compaction,
          checkPoint,
          isExempt: input.state.head.isExempt,
          isUnderWay,
        })
  const step =
    planBeforeRequest(input, usedTokens) ??
    planFlushing(input, usedTokens, trigger) ??
    planCompacting(input, usedTokens, trigger) ??
    planMessageLimit(input, view, usedTokens) ??
    planPreparing(input, usedTokens, trigger)
  return {
    ...(step ?? { action: 'proceed', reason: findReason(usedTokens, limits, trigger) }),
    numbers: {
      tokens: reading.tokens,
      source: reading.source,
      windowTokens: limits?.windowTokens ?? null,
      thresholdTokens: trigger.thresholdTokens,
      messages: view.items.length,
    },
  }
}

function planBeforeRequest(input: PlanInput, usedTokens: number): PlannedStep | null {
  if (input.checkPoint === 'after-response') return null
  const culprit = findCulprit(input)
  if (culprit !== null) return { action: 'block', reason: 'cannot-fit', culprit }
  const { state, policy, limits, model, calibration, now } = input
  const { lastCall } = state.head
  const items = contextItems(state)
  const { ratio } = calibration
  // Without automatic compaction nothing is cut before the provider has refused it.
  const oversized =
    limits === null || !isAutomatic(policy.compaction)
      ? null
      : planOversized({
          items,
          estimator: policy.estimator,
          maxTokens: (limits.inputTokens * MAX_EXCHANGE_SHARE) / ratio,
        })
  const prune =
    oversized ??
    planPruning({
      items,
      policy: policy.contextPruning,
      estimator: policy.estimator,
      // In the estimator's tokens, as what pruning frees is.
      usedTokens: usedTokens / ratio,
      limits: limits === null ? null : { windowTokens: limits.windowTokens / ratio },
      isFromStart: state.head.base.kind === 'start',
      now,
      // Caches belong to a model: after a switch there is none to break.
      lastCallAt: lastCall === null || isOtherModel(lastCall.model, model) ? null : lastCall.at,
      isCompactionAhead: isCompactionAhead(input),
    })
  return prune === null ? null : { action: 'prune', reason: prune.reason, prune }
}

/** After an undo, or where summaries fail, pruning is what keeps a compaction away. */
function isCompactionAhead({ state: { head }, policy, limits, now }: PlanInput): boolean {
  return limits !== null && isAutomatic(policy.compaction) && !isBreakerOpen(head, now) && !head.isExempt
}

function planFlushing(
  { state, policy, limits, checkPoint, canFlush = true }: PlanInput,
  usedTokens: number,
  trigger: Trigger,
): PlannedStep | null {
  // Without automatic compaction nothing is about to be lost: no turn is paid for to save it.
  if (!isAutomatic(policy.compaction) || !canFlush) return null
  if (trigger.due === null && !isCheckedAt(policy.compaction, checkPoint)) return null
  const { cycle, flush } = state.head
  const verdict = planFlush({
    usedTokens,
    limits,
    policy,
    cycle,
    flushedCycle: flush.cycle,
    failuresThisCycle: flush.failures,
  })
  return verdict.due ? { action: 'flush', reason: verdict.reason, timing: timeFlush(policy.compaction) } : null
}

function planCompacting(input: PlanInput, usedTokens: number, trigger: Trigger): PlannedStep | null {
  if (trigger.due !== 'threshold' && trigger.due !== 'window') return null
  const { head } = input.state
  const isForced = trigger.due === 'window'
  const isSwitch = isOtherModel(head.lastCall?.model, input.model)
  const reason = !isForced ? 'threshold' : isSwitch ? 'model-switch' : 'window'
  const shrinking = { reason, tokensBefore: usedTokens } as const
  if (isBreakerOpen(head, input.now)) return planWithoutModel(input, shrinking)
  const compaction = planShrinking(input, shrinking)
  const timing = timeCompaction(trigger.due, input.policy.compaction)
  if (compaction.action === 'compact') return { action: 'compact', reason, timing, compaction }
  return isForced ? planWithoutModel(input, shrinking) : null
}

/** With the breaker open: the first fallback, and the next one each time one has failed too. */
function planWithoutModel(input: PlanInput, shrinking: FailedShrinking): PlannedStep {
  const failed = Math.max(0, input.state.head.compactionFailures - BREAKER_FAILURES)
  const steps = planFallbacks(input, shrinking)
  // Leaving messages out cannot fail, so it may be asked for again.
  const last = steps.findLast(({ action }) => action === 'trim')
  return steps[failed] ?? last ?? { action: 'proceed', reason: 'nothing-to-free' }
}

/** The backstop by count. It works without a window too. */
function planMessageLimit(input: PlanInput, view: View, usedTokens: number): PlannedStep | null {
  const { maxMessages } = input.policy.compaction
  if (maxMessages === null || input.checkPoint === 'after-response') return null
  const excess = countMessages(view) - maxMessages
  if (excess <= 0) return null
  // Some more than must go, so that the next trim is some turns away.
  const dropMessages = excess + Math.floor(maxMessages * MESSAGE_TRIM_SHARE)
  const trim = planTrimming(input, { reason: 'max-messages', usedTokens, dropTokens: 0, dropMessages })
  return trim === null ? null : { action: 'trim', reason: trim.reason, trim }
}

function planPreparing(input: PlanInput, usedTokens: number, trigger: Trigger): PlannedStep | null {
  if (trigger.due !== 'prepare' || isBreakerOpen(input.state.head, input.now)) return null
  // A summary by code takes no time.
  if (input.policy.compaction.strategy === MODEL_FREE_STRATEGY) return null
  const compaction = planShrinking(input, { reason: 'prepared', tokensBefore: usedTokens })
  if (compaction.action !== 'compact') return null
  return {
    action: 'compact',
    reason: 'prepared',
    timing: timeCompaction('prepare', input.policy.compaction),
    compaction,
  }
}

function isDue({ due }: Trigger): boolean {
  return due === 'threshold' || due === 'window'
}

type ProceedReason = Extract<PlannedStep, { action: 'proceed' }>['reason']

function findReason(usedTokens: number, limits: PlanInput['limits'], trigger: Trigger): ProceedReason {
  if (limits === null) return 'window-unknown'
  if (isDue(trigger)) return 'nothing-to-free'
  return usedTokens > limits.inputTokens ? 'over-limit' : 'fits'
}
