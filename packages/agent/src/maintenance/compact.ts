import {
  MODEL_FREE_STRATEGY,
  createMoveMeter,
  describeSummarised,
  isStillValid,
  renderDocument,
  runCompaction,
  totalTimeoutMs,
} from '@longhaul/engine'
import type { AskModel, CompactionOutcome, CompactionPlan, CompactionReason, PromptContent } from '@longhaul/engine'
import { noteWork } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { readGauge } from '../session/read-gauge.ts'
import { billDiscarded } from './bill-discarded.ts'
import { explainAsk } from './explain-ask.ts'
import { failedResult, tellCompaction } from './tell-compaction.ts'
import type { CompactionResult } from './tell-compaction.ts'

/** What is tried: a plan of the engine, for the turn that waits for it (null: for none). */
export interface CompactionAttempt {
  readonly plan: CompactionPlan
  readonly turnId: string | null
  readonly signal: AbortSignal
  /** The inbox item that asked for it: dealt with once it is stored, under the same id. */
  readonly requestId?: string | undefined
}

/** Runs one compaction and commits it if it holds. Failure is recorded and returned. */
export async function compactNow(session: ActiveSession, attempt: CompactionAttempt): Promise<boolean> {
  const { didCompact } = await tellCompaction(session, attempt, () => tryCompaction(session, attempt))
  return didCompact
}

/** The same without a word to clients. */
export async function tryCompaction(session: ActiveSession, attempt: CompactionAttempt): Promise<CompactionResult> {
  const { plan } = attempt
  await noteWork(session, { work: 'compaction', reason: plan.reason })
  const outcome = await summarise(session, attempt)
  const isDone = await commit(session, plan, outcome, attempt.requestId)
  await noteWork(session, null)
  const { head } = session.log.state()
  session.agent.log({
    level: isDone ? 'info' : 'warn',
    event: 'compaction-outcome',
    message: isDone ? 'Compaction is stored.' : 'Compaction did not happen.',
    compactions: head.compactionCount,
    failures: head.compactionFailures,
  })
  if (!isDone || outcome.kind !== 'compacted') return failedResult(plan)
  return describeResult(session, plan, outcome.entry)
}

/** Of one that is stored. */
export function describeResult(
  session: ActiveSession,
  { strategy }: CompactionPlan,
  { tokensAfter, score }: Extract<CompactionOutcome, { kind: 'compacted' }>['entry'],
): CompactionResult {
  const fallback = strategy === MODEL_FREE_STRATEGY ? session.policy().compaction.fallback : null
  return { didCompact: true, fallback, tokensAfter, score: score ?? null }
}

/** The summary alone, nothing stored: for compactions of the moment and for those prepared beside the conversation. */
export async function summarise(
  session: ActiveSession,
  { plan, signal }: Pick<CompactionAttempt, 'plan' | 'signal'>,
): Promise<CompactionOutcome> {
  const { policy, limits } = session.context()
  if (limits === null) return { kind: 'failed', problems: ['the window is unknown'], usage: null }
  const timeout = AbortSignal.timeout(totalTimeoutMs(policy, plan.reason))
  const both = AbortSignal.any([signal, timeout])
  const { modelId, ask } = chooseSummariser(session, plan.reason)
  const outcome = await runCompaction({
    plan,
    policy,
    limits,
    strategies: session.strategies,
    ask: explainAsk(session, { purpose: 'summary', model: modelId, content: contentOf(plan) }, (request) =>
      ask({ ...request, model: modelId }, both),
    ),
    signal: both,
    measureAfter: createMoveMeter(session.context()),
    modelId,
    log: (line) => session.agent.log({ ...line }),
  })
  if (outcome.kind === 'cancelled' && !signal.aborted) {
    return { kind: 'failed', problems: ['timed out as a whole'], usage: outcome.usage }
  }
  return outcome
}

/** A strategy of one's own need not say what its calls hold: only that they are about all of it is certain. */
function contentOf({ previousDocument, span }: CompactionPlan): PromptContent {
  return {
    earlier: previousDocument === null ? null : renderDocument(previousDocument),
    items: describeSummarised(span),
  }
}

/**
 * Stores a summary if it still fits what is there: same base, same model, and smaller by the meter of this moment.
 * Cancelled work leaves only its bill behind.
 */
export async function commit(
  session: ActiveSession,
  plan: CompactionPlan,
  outcome: CompactionOutcome,
  requestId?: string,
): Promise<boolean> {
  const { log } = session
  if (outcome.kind === 'cancelled') {
    await billDiscarded(session, outcome.usage)
    return false
  }
  if (outcome.kind === 'failed') {
    const reason = outcome.problems.join('; ')
    const failure = { type: 'maintenance-failed', work: 'compaction', reason } as const
    await log.append([outcome.usage === null ? failure : { ...failure, usage: outcome.usage }])
    return false
  }
  const { entry } = outcome
  const stale = findStaleness(session, plan, entry)
  if (stale !== null) {
    session.agent.log({ level: 'info', event: 'compaction-discarded', message: `A summary was not used: ${stale}.` })
    await billDiscarded(session, entry.usage ?? null)
    return false
  }
  const context = session.context()
  const tokensAfter = createMoveMeter(context)({ move: plan.move, document: entry.document })
  await log.append([{ ...entry, tokensAfter }], { epoch: plan.epoch, answers: requestId })
  await session.refreshEnvironment()
  return true
}

function findStaleness(
  session: ActiveSession,
  plan: CompactionPlan,
  { document }: Extract<CompactionOutcome, { kind: 'compacted' }>['entry'],
): string | null {
  const context = session.context()
  if (!isStillValid(plan, context.state)) return 'the context changed before the summary was ready'
  const tokens = readGauge(session.context()).tokens ?? plan.tokensBefore
  return createMoveMeter(context)({ move: plan.move, document }) < tokens ? null : 'it would not be smaller any more'
}

/** After a switch to a smaller window, the model that can still read everything does the summarising. */
function chooseSummariser(session: ActiveSession, reason: CompactionReason): { modelId: string; ask: AskModel } {
  const { models } = session.agent
  const current = session.model()
  const before = session.log.state().head.lastCall?.model ?? null
  const wanted = session.policy().compaction.model
  const named = wanted === 'session' || !models.describe(wanted).available ? null : wanted
  const larger = reason === 'model-switch' && before !== null && models.describe(before).available ? before : current
  if (wanted !== 'session' && named === null) {
    session.agent.log({
      level: 'info',
      event: 'summary-model',
      message: `${wanted} is not configured; ${larger} writes the summary.`,
    })
  }
  return { modelId: named ?? larger, ask: models.asker(larger) }
}
