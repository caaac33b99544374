import type { CompactionPlan, NoCompaction } from '../compaction/compaction-plan.ts'
import { MODEL_FREE_STRATEGY } from '../compaction/strategy.ts'
import { isAutomatic } from '../compaction/trigger.ts'
import type { CheckPoint } from '../compaction/trigger.ts'
import type { PrunePlan } from '../pruning/prune-plan.ts'
import { isBreakerOpen } from '../request/fold/breaker.ts'
import { createPruneEntry } from '../request/plan/plan-entries.ts'
import { planResultTrimming, planShrinking } from '../request/plan/plan-shrinking.ts'
import { planNext } from '../request/plan/plan.ts'
import type { Plan, PlannedStep } from '../request/plan/planned-step.ts'
import { compactByCode, compactByFallbacks, storeTrim } from './compact-by-code.ts'
import type { Flushing } from './flushing.ts'
import type { HeldSummary, ManualSummary } from './held-summary.ts'
import type { Waiting } from './patience.ts'
import type { CompactionResult, DriverPorts, StopSignal } from './ports.ts'
import { readGauge } from './read-gauge.ts'

/** The parts of a driver that maintenance works with. */
export interface Maintenance {
  readonly ports: DriverPorts
  readonly held: HeldSummary
  readonly flushing: Flushing
}

export interface ReadyInput extends Waiting {
  readonly checkPoint: CheckPoint
}

export interface RefusedInput extends Waiting {
  /** The size of the refused request. */
  readonly tokensBefore: number
  /** How often this request was refused before. */
  readonly refusals: number
}

export interface ManualInput {
  readonly instructions?: string | undefined
  /** The request that the stored entry answers. */
  readonly requestId?: string
  readonly signal: StopSignal
}

/** Every step changes what the next plan sees; this only guards against a plan that does not. */
const MAX_STEPS = 24
/** Compactions by a model that are tried for one refused request. */
const MAX_COMPACTIONS = 3

/** The loop: asks for a plan, carries it out, and asks again, until the plan says to go on or to stop. */
export async function maintain(maintenance: Maintenance, input: ReadyInput): Promise<Plan> {
  const { ports, flushing, held } = maintenance
  const { checkPoint, signal } = input
  let mayFlush = true
  for (let step = 0; ; step += 1) {
    const canFlush = mayFlush && flushing.canStart()
    const isUnderWay = ports.canShortenAnswers === true && held.current('all') !== null
    const plan = planNext({ ...ports.session(), checkPoint, canFlush, isUnderWay, now: ports.clock.now() })
    if (step >= MAX_STEPS || signal.aborted) return plan
    switch (plan.action) {
      case 'proceed':
      case 'block':
        return plan
      case 'prune':
        await storePrune(ports, plan.prune, false)
        break
      case 'trim':
        await storeTrim(ports, plan.trim)
        break
      case 'flush':
        // One try at each check point: a flush that failed now is likely to fail again.
        mayFlush = false
        await flushing.run(plan, input)
        break
      case 'compact':
        if (!(await compactAsPlanned(maintenance, plan, input)))
          return { action: 'proceed', reason: 'under-way', numbers: plan.numbers }
        break
      default:
        plan satisfies never
    }
  }
}

/** True: the context or what is known about it has changed, so the next plan is another. */
async function compactAsPlanned(
  { ports, held }: Maintenance,
  { compaction: plan, timing, reason }: Extract<PlannedStep, { action: 'compact' }>,
  waiting: Waiting,
): Promise<boolean> {
  if (plan.strategy === MODEL_FREE_STRATEGY) {
    ports.tell({ type: 'compact-completed', reason, ...(await compactByCode(ports, plan)) })
    return true
  }
  switch (timing) {
    case 'ahead':
      await held.startAhead(plan)
      return false
    case 'beside':
      return hasShrunk(await held.startBeside(plan))
    case 'wait':
      if (reason === 'threshold' && !(await ports.maySpend())) return false
      return hasShrunk(await held.wait(plan, waiting, (failed) => compactInstead(ports, failed)))
    default:
      return timing satisfies never
  }
}

/** Uses the ways of the policy that need no model, because no summary came. */
export function compactInstead(ports: DriverPorts, plan: CompactionPlan): Promise<CompactionResult> {
  return compactByFallbacks(ports, { ...plan, tokensBefore: readGauge(ports.session()).tokens ?? plan.tokensBefore })
}

/** Compacts up to three times, then cuts tool results, then does without a model. False: nothing is left that could go. */
export async function makeRoom({ ports, held, flushing }: Maintenance, input: RefusedInput): Promise<boolean> {
  const { refusals, tokensBefore, ...waiting } = input
  const { signal, patience } = waiting
  const { session, clock } = ports
  if (isAutomatic(session().policy.compaction)) flushing.startBeforeLoss()
  const overflow = { reason: 'overflow', tokensBefore } as const
  const isBroken = isBreakerOpen(session().state.head, clock.now())
  if (refusals < MAX_COMPACTIONS && !isBroken && patience.leftMs > 0 && !signal.aborted) {
    const plan = planShrinking(session(), overflow)
    if (plan.action === 'compact' && (await held.wait(plan, waiting, null)).didCompact) return true
  }
  const cut = planResultTrimming(session())
  if (cut !== null) {
    await storePrune(ports, cut, true)
    return true
  }
  if (signal.aborted) return false
  const result = await compactByFallbacks(ports, overflow)
  if (result.didCompact) ports.tell({ type: 'compact-completed', reason: 'overflow', ...result })
  return hasShrunk(result)
}

/** Starts a compaction that somebody asked for; or says why there is nothing to do. */
export async function startManual(
  { ports: { session }, held }: Maintenance,
  { instructions, requestId }: ManualInput,
): Promise<ManualSummary | NoCompaction> {
  const plan = planShrinking(session(), {
    reason: 'manual',
    tokensBefore: readGauge(session()).tokens ?? 0,
    ...(instructions === undefined ? {} : { instructions }),
    ...(requestId === undefined ? {} : { requestId }),
  })
  return plan.action === 'none' ? plan : held.startManual(plan)
}

async function storePrune({ append, tell }: DriverPorts, plan: PrunePlan, isForced: boolean): Promise<void> {
  await append([createPruneEntry(plan)])
  tell({ type: 'pruned', reason: plan.reason, parts: plan.decisions.length, isForced })
}

function hasShrunk(result: CompactionResult | null): boolean {
  return result !== null && (result.didCompact || result.fallback !== null)
}
