import type { CompactionPlan } from '../compaction/compaction-plan.ts'
import { runCompaction } from '../compaction/run-compaction.ts'
import { createStrategies } from '../compaction/strategies.ts'
import type { AskModel } from '../compaction/strategy.ts'
import type { CheckPoint } from '../compaction/trigger.ts'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { createState, foldEntry } from '../request/fold/fold.ts'
import type { State } from '../request/fold/state.ts'
import { createMoveMeter } from '../request/plan/measure-move.ts'
import { createPruneEntry, createTrimEntry } from '../request/plan/plan-entries.ts'
import { planFallbacks, planShrinking } from '../request/plan/plan-shrinking.ts'
import { planNext } from '../request/plan/plan.ts'
import type { Plan, PlannedStep } from '../request/plan/planned-step.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import { sealRequest } from '../request/seal/seal.ts'
import type { SealedRequest } from '../request/seal/sealed-request.ts'
import type { Environment } from '../request/view/environment.ts'
import { createView } from '../request/view/view.ts'
import type { View } from '../request/view/view.ts'
import { UNCALIBRATED } from '../tokens/meter.ts'
import type { CompactionReason, Entry, NewEntry } from '../transcript/entry.ts'

export interface DriveOptions {
  readonly policy: ContextPolicy
  readonly windowTokens: number | null
  readonly environment?: Environment
  readonly ask?: AskModel
}

type Unwritten<T> = T extends Entry ? Omit<T, 'seq' | 'id' | 'at'> : never

/** A session in memory, driven as an agent would drive it: the smallest loop around the engine, for tests. */
export interface DrivenSession {
  readonly entries: readonly Entry[]
  readonly plans: readonly Plan[]
  readonly state: () => State
  readonly view: () => View
  readonly context: () => SessionContext
  readonly seal: () => SealedRequest
  readonly append: (entry: Unwritten<Entry> | NewEntry) => void
  /** Does what is due at a check point until nothing is, and returns the last plan. */
  readonly maintain: (checkPoint: CheckPoint) => Promise<Plan>
  readonly compact: (reason: CompactionReason) => Promise<boolean>
  readonly setWindow: (tokens: number | null) => void
  readonly wait: (ms: number) => void
  readonly now: () => number
}

const MAX_STEPS = 20

export function driveSession(options: DriveOptions): DrivenSession {
  const { policy, ask = failingAsk } = options
  const environment = options.environment ?? { system: 'You help.', files: [], tools: [] }
  const strategies = createStrategies()
  const entries: Entry[] = []
  const plans: Plan[] = []
  let state = createState()
  let now = 1_700_000_000_000
  let limits: Limits | null = resolveLimits(policy, {
    windowTokens: options.windowTokens ?? policy.assumedWindowTokens,
  })

  const append: DrivenSession['append'] = (entry) => {
    const seq = state.head.lastSeq + 1
    const written = { id: `e${seq}`, at: now, ...entry, seq } as Entry
    entries.push(written)
    state = foldEntry(state, written)
  }
  const context = (): SessionContext => {
    const { model } = state.head
    return { state, policy, limits, environment, model, calibration: UNCALIBRATED }
  }
  const compactWith = async (compaction: CompactionPlan): Promise<boolean> => {
    if (limits === null) return false
    const measureAfter = createMoveMeter(context())
    const signal = { aborted: false }
    const outcome = await runCompaction({ plan: compaction, policy, limits, strategies, ask, signal, measureAfter })
    append(outcome.kind === 'compacted' ? outcome.entry : FAILED)
    return outcome.kind === 'compacted'
  }
  /** A failed summary falls back to what needs no model; where that fails too, nothing happens. */
  const carryOut = async (step: PlannedStep): Promise<boolean> => {
    if (step.action === 'prune') append(createPruneEntry(step.prune))
    else if (step.action === 'flush') append({ type: 'flush', outcome: 'silent' })
    else if (step.action === 'trim') append(createTrimEntry(step.trim, context()))
    else if (step.action === 'compact') {
      if (await compactWith(step.compaction)) return true
      for (const fallback of planFallbacks(context(), step.compaction)) {
        if (fallback.action === 'trim') return carryOut(fallback)
        if (fallback.action === 'compact' && (await compactWith(fallback.compaction))) return true
      }
      return false
    } else return false
    return true
  }
  const maintain: DrivenSession['maintain'] = async (checkPoint) => {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const plan = planNext({ ...context(), checkPoint, now })
      plans.push(plan)
      if (!(await carryOut(plan))) return plan
    }
    throw new Error(
      `maintenance did not end: ${plans
        .slice(-MAX_STEPS)
        .map(({ action }) => action)
        .join()}`,
    )
  }
  return {
    entries,
    plans,
    state: () => state,
    view: () => createView(state, policy),
    context,
    seal: () =>
      sealRequest({
        view: createView(state, policy),
        context: { ...context(), estimator: policy.estimator },
        maxTokens: limits?.inputTokens ?? null,
        maxBytes: null,
      }),
    append,
    maintain,
    async compact(reason) {
      const tokensBefore = planNext({ ...context(), checkPoint: 'after-response', now }).numbers.tokens ?? 0
      const plan = planShrinking(context(), { reason, tokensBefore })
      return plan.action === 'compact' && carryOut({ action: 'compact', reason, compaction: plan })
    },
    setWindow: (tokens) => {
      limits = resolveLimits(policy, { windowTokens: tokens ?? policy.assumedWindowTokens })
    },
    wait: (ms) => {
      now += ms
    },
    now: () => now,
  }
}

const FAILED = { type: 'maintenance-failed', work: 'compaction', reason: 'scripted' } as const
const failingAsk: AskModel = () => Promise.reject(new Error('no model is scripted'))
