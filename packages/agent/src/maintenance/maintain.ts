import { createPruneEntry, createTrimEntry, planFallbacks, planNext } from '@longhaul/engine'
import type { CheckPoint, CompactionPlan, Plan, PlannedStep, SessionContext } from '@longhaul/engine'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import type { PinWatch } from '../turn/watch-pins.ts'
import { commit, describeResult, tryCompaction } from './compact.ts'
import type { CompactionAttempt } from './compact.ts'
import type { Flushing } from './flushing.ts'
import type { Titling } from './titling.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { Preparation } from './prepare-ahead.ts'
import { failedResult, tellCompaction, tellResult } from './tell-compaction.ts'
import type { CompactionResult } from './tell-compaction.ts'

export interface Maintenance {
  readonly session: ActiveSession
  readonly preparation: Preparation
  readonly heartbeat: Heartbeat
  readonly flushing: Flushing
  readonly titling: Titling
  readonly warnIfFull: (turnId: string | null) => void
  readonly watchPins: PinWatch
  /** Whether optional work may still be paid for today. */
  readonly maySpend: () => Promise<boolean>
  /** Never throws. */
  readonly close: () => Promise<void>
}

export interface MaintainInput {
  readonly checkPoint: CheckPoint
  readonly turnId: string | null
  readonly signal: AbortSignal
}

/** What a user reads when older messages were left out without a summary. Fixed by seed 000. */
const TRIMMED_NOTICE = 'Conversation history has been automatically trimmed'

/** Every step changes what the next plan sees; this only guards against a plan that does not. */
const MAX_STEPS = 24

/** Does what is due at a check point, one plan after the other, and returns the one that says to go on or to stop. */
export async function maintain(maintenance: Maintenance, input: MaintainInput): Promise<Plan> {
  const { session } = maintenance
  let hasFlushed = false
  for (let step = 0; ; step += 1) {
    const context = hasFlushed ? withoutFlush(session.context()) : session.context()
    const plan = planNext({ ...context, checkPoint: input.checkPoint, now: session.agent.now() })
    const isLast = step >= MAX_STEPS || input.signal.aborted
    if (isLast || isOver(plan) || !(await carryOut(maintenance, input, plan))) return plan
    hasFlushed ||= plan.action === 'flush'
  }
}

/** One try at each check point: what failed now is likely to fail again, and somebody may be waiting for an answer. */
function withoutFlush({ policy, ...context }: SessionContext): SessionContext {
  const memoryFlush = { ...policy.compaction.memoryFlush, enabled: false }
  return { ...context, policy: { ...policy, compaction: { ...policy.compaction, memoryFlush } } }
}

function isOver({ action }: Plan): boolean {
  return action === 'proceed' || action === 'block'
}

/** False: nothing was changed, so asking again would get the same plan. */
async function carryOut(maintenance: Maintenance, input: MaintainInput, step: PlannedStep): Promise<boolean> {
  const { session } = maintenance
  switch (step.action) {
    case 'prune':
      await session.log.append([createPruneEntry(step.prune)])
      return true
    case 'flush':
      if (step.isBeside) maintenance.flushing.start()
      else await maintenance.flushing.run(input.turnId, input.signal)
      return true
    case 'trim':
      await trim(session, input, step)
      return true
    case 'compact':
      return compact(maintenance, input, step.compaction)
    case 'prepare':
      // The turn does not wait for the sum of the day.
      void prepare(maintenance, step.compaction)
      return false
    case 'proceed':
    case 'block':
      return false
    default:
      return step satisfies never
  }
}

async function prepare({ maySpend, preparation, session }: Maintenance, plan: CompactionPlan): Promise<void> {
  try {
    if (await maySpend()) preparation.start(plan)
  } catch (error) {
    session.agent.log({ level: 'warn', event: 'not-prepared', message: describeError(error) })
  }
}

/** What was prepared, else a summary made now, else what needs no model. */
async function compact(maintenance: Maintenance, input: MaintainInput, plan: CompactionPlan): Promise<boolean> {
  const { session, preparation } = maintenance
  if (await usePrepared(session, preparation, input)) return true
  const isForced = plan.reason !== 'threshold'
  if (!isForced && !(await maintenance.maySpend())) return false
  return compactSomehow(session, { plan, turnId: input.turnId, signal: input.signal })
}

/** A summary, else what needs no model: one start and one end to clients. */
export async function compactSomehow(session: ActiveSession, attempt: CompactionAttempt): Promise<boolean> {
  const { plan, signal } = attempt
  const { didCompact, fallback } = await tellCompaction(session, attempt, async () => {
    const result = await tryCompaction(session, attempt)
    return result.didCompact || signal.aborted ? result : shrinkWithoutModel(session, attempt, plan)
  })
  return didCompact || fallback !== null
}

/** Commits what was prepared, if it still holds. */
export async function usePrepared(
  session: ActiveSession,
  preparation: Preparation,
  { turnId, signal }: Pick<MaintainInput, 'turnId' | 'signal'>,
): Promise<boolean> {
  const prepared = await preparation.take(signal)
  if (prepared === null) return false
  const { plan, outcome } = prepared
  const isDone = await commit(session, plan, outcome)
  if (isDone && outcome.kind === 'compacted') {
    tellResult(session, { plan, turnId }, describeResult(session, plan, outcome.entry))
  }
  return isDone
}

/** The policy's way without a model: it always shrinks, and the user hears of it. */
export async function fallBack(
  session: ActiveSession,
  input: Pick<MaintainInput, 'turnId' | 'signal'>,
  failed: FailedCompaction,
): Promise<boolean> {
  const [step] = planFallbacks(session.context(), failed)
  const result = await shrinkWithoutModel(session, input, failed)
  if (step?.action === 'compact') tellResult(session, { plan: step.compaction, turnId: input.turnId }, result)
  return result.fallback !== null
}

type FailedCompaction = Pick<CompactionPlan, 'reason' | 'tokensBefore' | 'instructions'>

async function shrinkWithoutModel(
  session: ActiveSession,
  { turnId, signal, requestId }: Omit<CompactionAttempt, 'plan'>,
  failed: FailedCompaction,
): Promise<CompactionResult> {
  for (const step of planFallbacks(session.context(), failed)) {
    if (step.action === 'trim') {
      const { fallback } = session.policy().compaction
      const tokensAfter = await trim(session, { turnId, requestId }, step)
      return { ...failedResult(failed), fallback: fallback === 'extractive' ? 'trim-oldest' : fallback, tokensAfter }
    }
    if (step.action !== 'compact') continue
    const result = await tryCompaction(session, { plan: step.compaction, turnId, signal, requestId })
    if (result.didCompact) return result
  }
  return failedResult(failed)
}

async function trim(
  session: ActiveSession,
  { turnId, requestId }: Pick<CompactionAttempt, 'turnId' | 'requestId'>,
  { trim: plan }: Extract<PlannedStep, { action: 'trim' }>,
): Promise<number> {
  const entry = createTrimEntry(plan, session.context())
  await session.log.append([entry], { answers: requestId })
  session.agent.log({
    level: 'warn',
    event: 'context-trimmed',
    message: `${plan.dropped.length} messages are left out of requests from now on (${plan.reason}).`,
  })
  session.events.emit(turnId, { type: 'context-trimmed', message: TRIMMED_NOTICE })
  return entry.tokensAfter
}
