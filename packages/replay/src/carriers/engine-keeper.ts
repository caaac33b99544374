import {
  createMoveMeter,
  createPruneEntry,
  createTrimEntry,
  isStillValid,
  planFallbacks,
  planNext,
  runCompaction,
} from '@longhaul/engine'
import type { CompactionOutcome, CompactionPlan, ContextPolicy, Limits, Plan, PlannedStep } from '@longhaul/engine'
import type { SummaryWriter } from '../summaries/summaries.ts'
import type { CallMeter } from './call-meter.ts'
import type { Carrier, Moment, ReplayEvent, RequestItem } from './carrier.ts'
import type { Session } from './engine-session.ts'

/** Every step changes what the next plan sees; this only guards against a plan that does not. */
const MAX_STEPS = 24

interface KeeperInput {
  readonly session: Session
  readonly policy: ContextPolicy
  readonly limits: Limits
  readonly callMeter: CallMeter
  readonly summaries: SummaryWriter
  readonly request: () => readonly RequestItem[]
}

/** Carries the engine's plans out at a check point, as the agent does. */
export function createKeeper(input: KeeperInput): Carrier['maintain'] {
  const { session, callMeter, request } = input
  const compactor = createCompactor(input)

  /** Nothing: asking again would get the same plan. */
  const carryOut = async (step: PlannedStep, moment: Moment): Promise<readonly ReplayEvent[]> => {
    const { at, checkPoint } = moment
    const append = (action: 'prune' | 'trim', entry: Parameters<Session['append']>[0]): readonly ReplayEvent[] => {
      const tokensBefore = session.readTokens()
      session.append(entry, at)
      const tokensAfter = session.readTokens()
      return [{ action, reason: step.reason, isForeground: false, tokensBefore, tokensAfter, call: null }]
    }
    switch (step.action) {
      case 'prune':
        return append('prune', createPruneEntry(step.prune))
      case 'trim':
        return append('trim', createTrimEntry(step.trim, session.context()))
      case 'flush': {
        const tokens = session.readTokens()
        session.append({ type: 'flush', outcome: 'silent' }, at)
        const isForeground = !step.isBeside && checkPoint !== 'after-response'
        const call = callMeter.flushCall(request())
        const { reason } = step
        return [{ action: 'flush', reason, isForeground, tokensBefore: tokens, tokensAfter: tokens, call }]
      }
      case 'compact': {
        const event = compactor.usePrepared(moment) ?? (await compactor.compact(step.compaction, moment))
        return event.action === 'compact' ? [event] : [event, ...(await fallBack(step.compaction, moment))]
      }
      case 'prepare':
      case 'proceed':
      case 'block':
        return []
      default:
        return step satisfies never
    }
  }
  /** What needs no model, where no summary could be had. */
  const fallBack = async (plan: CompactionPlan, moment: Moment): Promise<readonly ReplayEvent[]> => {
    for (const step of planFallbacks(session.context(), plan)) {
      if (step.action === 'trim') return carryOut(step, moment)
      if (step.action !== 'compact') continue
      const event = { ...(await compactor.compact(step.compaction, moment)), call: null, isForeground: false }
      if (event.action === 'compact') return [event]
    }
    return []
  }
  return async (moment) => {
    const events: ReplayEvent[] = []
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const plan = planNext({ ...session.context(), checkPoint: moment.checkPoint, now: moment.at })
      if (plan.action === 'prepare') events.push(...(await compactor.prepare(plan.compaction, plan)))
      if (plan.action === 'block') events.push(stillEvent('block', plan, null))
      const done = await carryOut(plan, moment)
      if (done.length === 0) break
      events.push(...done)
    }
    return events
  }
}

function createCompactor({ session, policy, limits, callMeter, summaries }: KeeperInput) {
  let prepared: { readonly plan: CompactionPlan; readonly outcome: CompactionOutcome } | null = null

  const summarise = (plan: CompactionPlan): Promise<CompactionOutcome> =>
    runCompaction({
      plan,
      policy,
      limits,
      strategies: summaries.strategies,
      ask: summaries.ask,
      signal: { aborted: false },
      measureAfter: createMoveMeter(session.context()),
    })
  return {
    /** A summary made beside the conversation, unless one is held that is still of use. */
    async prepare(compaction: CompactionPlan, plan: Plan): Promise<readonly ReplayEvent[]> {
      if (prepared !== null && isStillValid(prepared.plan, session.state())) return []
      prepared = { plan: compaction, outcome: await summarise(compaction) }
      return [stillEvent('prepare', plan, callMeter.summaryCall(compaction, prepared.outcome))]
    },
    /** What was prepared, if it still holds and still shrinks. */
    usePrepared({ at }: Moment): ReplayEvent | null {
      const held = prepared
      prepared = null
      if (held?.outcome.kind !== 'compacted' || !isStillValid(held.plan, session.state())) return null
      const { entry } = held.outcome
      const tokensBefore = session.readTokens()
      const tokensAfter = createMoveMeter(session.context())({ move: held.plan.move, document: entry.document })
      if (tokensAfter >= tokensBefore) return null
      session.append({ ...entry, tokensAfter }, at)
      return { action: 'compact', reason: 'prepared', isForeground: false, tokensBefore, tokensAfter, call: null }
    },
    async compact(plan: CompactionPlan, { at, checkPoint }: Moment): Promise<ReplayEvent> {
      const { tokensBefore, reason } = plan
      const outcome = await summarise(plan)
      const call = callMeter.summaryCall(plan, outcome)
      const common = { reason, isForeground: checkPoint !== 'after-response', tokensBefore, call }
      if (outcome.kind === 'compacted') {
        session.append(outcome.entry, at)
        return { ...common, action: 'compact', tokensAfter: outcome.entry.tokensAfter }
      }
      const problem = outcome.kind === 'failed' ? outcome.problems.join('; ') : outcome.kind
      session.append({ type: 'maintenance-failed', work: 'compaction', reason: problem }, at)
      return { ...common, action: 'failed', reason: problem, tokensAfter: tokensBefore }
    },
  }
}

function stillEvent(action: 'prepare' | 'block', { reason, numbers }: Plan, call: ReplayEvent['call']): ReplayEvent {
  const { tokens } = numbers
  return { action, reason, isForeground: action === 'block', tokensBefore: tokens, tokensAfter: tokens, call }
}
