import {
  UNCALIBRATED,
  createMoveMeter,
  createPruneEntry,
  createState,
  createStrategies,
  createTrimEntry,
  createView,
  estimateMessage,
  foldEntry,
  measureEnvironment,
  measureView,
  planFallbacks,
  planNext,
  planShrinking,
  resolveLimits,
  runCompaction,
} from '@longhaul/engine/advanced'
import type {
  Anchor,
  AskModel,
  CheckPoint,
  CompactionPlan,
  ContextPolicy,
  Environment,
  Estimator,
  Limits,
  Message,
  NewEntry,
  PlannedStep,
  SessionContext,
  State,
  View,
} from '@longhaul/engine/advanced'

export interface SessionOptions {
  readonly policy: ContextPolicy
  readonly windowTokens: number
  readonly ask: AskModel
}

export interface SessionCounts {
  readonly compactions: number
  readonly trims: number
  readonly failures: number
}

/** The smallest agent around the engine: it appends, maintains and keeps count. Its flushes write nothing. */
export interface DrivenSession {
  readonly limits: Limits
  readonly counts: SessionCounts
  state(): State
  view(): View
  /** Appends as of a moment and returns the id. */
  append(entry: Unwritten, at: number): string
  /** An answer with a bill for the request it answers. */
  appendAnswer(message: Message, at: number): string
  maintain(checkPoint: CheckPoint): Promise<void>
  /** What `/compact` does. */
  compact(): Promise<void>
}

type Unwritten<T = NewEntry> = T extends NewEntry ? Omit<T, 'id' | 'at'> : never

const MAX_STEPS = 20
const BILLED_BY: Estimator = 'classes'
const strategies = createStrategies()

/** Every answer is billed by the same estimate, whatever the policy’s own, so that a window is as large for all. */
export function driveSession(system: string, { policy, windowTokens, ask }: SessionOptions): DrivenSession {
  const environment: Environment = { system, files: [], tools: [] }
  const limits = resolveLimits(policy, { windowTokens })
  if (limits === null) throw new Error('the window is given, so there are limits')
  const counts = { compactions: 0, trims: 0, failures: 0 }
  let state = createState()
  let now = 0

  const context = (): SessionContext => ({ state, policy, limits, environment, model: null, calibration: UNCALIBRATED })
  const append = (entry: Unwritten, at = now): string => {
    now = at
    const seq = state.head.lastSeq + 1
    state = foldEntry(state, { ...entry, seq, id: `e${seq}`, at })
    return `e${seq}`
  }
  const compact = async (plan: CompactionPlan): Promise<boolean> => {
    const measureAfter = createMoveMeter(context())
    const signal = { aborted: false }
    const outcome = await runCompaction({ plan, policy, limits, strategies, ask, signal, measureAfter })
    if (outcome.kind === 'compacted') {
      counts.compactions += 1
      append(outcome.entry)
      return true
    }
    counts.failures += 1
    append({ type: 'maintenance-failed', work: 'compaction', reason: 'bench' })
    return false
  }
  /** false: there was nothing to do. */
  const carryOut = async (step: PlannedStep): Promise<boolean> => {
    switch (step.action) {
      case 'prune':
        append(createPruneEntry(step.prune))
        return true
      case 'flush':
        append({ type: 'flush', outcome: 'silent' })
        return true
      case 'trim':
        counts.trims += 1
        append(createTrimEntry(step.trim, context()))
        return true
      case 'compact':
        return (await compact(step.compaction)) || fallBack(step.compaction.tokensBefore)
      case 'prepare':
      case 'proceed':
      case 'block':
        return false
      default:
        return step satisfies never
    }
  }
  /** What needs no model, where no summary could be had. */
  const fallBack = async (usedTokens: number): Promise<boolean> => {
    for (const step of planFallbacks(context(), { reason: 'threshold', tokensBefore: usedTokens })) {
      if (step.action === 'trim') return carryOut(step)
      if (step.action === 'compact' && (await compact(step.compaction))) return true
    }
    return false
  }
  return {
    limits,
    counts,
    state: () => state,
    view: () => createView(state, policy),
    append,
    appendAnswer({ parts }, at) {
      const { input, anchor } = billRequest(createView(state, policy), context())
      const usage = { input, output: estimateMessage({ role: 'assistant', parts }, BILLED_BY) }
      return append({ type: 'message', role: 'assistant', parts, usage, anchor }, at)
    },
    async maintain(checkPoint) {
      for (let step = 0; await carryOut(planNext({ ...context(), checkPoint, now })); step += 1) {
        if (step === MAX_STEPS) throw new Error('maintenance does not end')
      }
    },
    async compact() {
      const { numbers } = planNext({ ...context(), checkPoint: 'after-response', now })
      const plan = planShrinking(context(), { reason: 'manual', tokensBefore: numbers.tokens ?? 0 })
      if (plan.action === 'compact') await compact(plan)
    },
  }
}

function billRequest(view: View, context: SessionContext): { readonly input: number; readonly anchor: Anchor } {
  const { trace } = measureView(view, { ...context, estimator: context.policy.estimator })
  const around = measureEnvironment(context.environment, BILLED_BY).tokens
  return {
    input: view.items.reduce((sum, { message }) => sum + estimateMessage(message, BILLED_BY), around),
    anchor: { model: '', itemCount: view.items.length, chainHash: trace.chainHash },
  }
}
