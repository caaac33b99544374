import { describeCulprit, readGauge, redactSecrets } from '@longhaul/engine/advanced'
import type { Failure, MessageEntry, Part, Patience, ToolCallPart, Usage } from '@longhaul/engine/advanced'
import { describeError, toAgentError } from '../agent-error.ts'
import { billDiscarded } from '../maintenance/bill-discarded.ts'
import { findOverspent } from '../maintenance/budget.ts'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import type { AgentErrorCode } from '../port/agent-event.ts'
import { recover } from '../recovery/recover-overflow.ts'
import type { RequestLimits } from '../recovery/request-limits.ts'
import { settleOpenCalls } from '../recovery/settle-crash.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { runTools } from './run-tools.ts'
import type { ToolRun } from './run-tools.ts'
import { reportUsage, sendRequest } from './send-request.ts'
import type { RequestWatch } from './watch-request.ts'
import { isParked } from '../session/park.ts'
import { describeLeftOut } from '../session/session-tools.ts'
import { textOfParts } from '../session/text-of-parts.ts'
import { FAILURE_CODES } from './turn-error.ts'

export interface TurnInput extends ToolRun {
  readonly maintenance: Maintenance
  readonly watch: RequestWatch
  /** Aborted when somebody else waits behind this turn. */
  readonly hurry?: AbortSignal | undefined
  /** Calls of the last answer that wait to be run: the owner before had no answer whether they may. */
  readonly waiting?: readonly ToolCallPart[]
}

/**
 * Answers what the transcript ends with: asks the model, runs its tools, asks again, until it has answered. The user's
 * message is stored before this starts; whatever ends a turn early is stored as well, so that no restart repeats it.
 */
export async function runTurn(input: TurnInput): Promise<void> {
  const { turnId, maintenance } = input
  const { session } = maintenance
  try {
    await answer(input)
  } catch (error) {
    // Whatever it was must not keep the session from its next message. If the store takes nothing at all, this fails too.
    session.agent.log({ level: 'error', event: 'turn-failed', message: describeError(error) })
    await settleOpenCalls(session)
    await session.work.takeOver([])
    const { code, message } = toAgentError(error)
    await fail(session, turnId, code, message)
  }
}

async function answer(input: TurnInput): Promise<void> {
  const { maintenance, turnId, signal, waiting = [] } = input
  const { session } = maintenance
  const patience = maintenance.createPatience()
  let calls = waiting
  tellLeftOut(session, turnId)
  for (let round = 0; ; round += 1) {
    if (calls.length > 0) await runTools(session, calls, input)
    if (calls.length > 0 && signal.aborted) {
      await breakOff(session, signal, NOTHING_CAME)
      return
    }
    const step = await answerStep(input, round, patience)
    if (step === null) return
    calls = step.parts.filter((part): part is ToolCallPart => part.type === 'tool-call')
    if (calls.length > 0) continue
    session.events.emit(turnId, { type: 'response-complete', id: step.id, text: textOfParts(step.parts) })
    break
  }
  maintenance.warnIfFull(turnId)
}

/** Once for each change of the surroundings, in the first turn after it. */
function tellLeftOut({ agent, events, context, takeUntold }: ActiveSession, turnId: string): void {
  for (const leftOut of takeUntold()) {
    const message = describeLeftOut(leftOut)
    agent.log({ level: 'warn', event: 'tools-left-out', message })
    events.emit(turnId, { type: 'context-warning', percent: Math.round(readGauge(context()).percent ?? 0), message })
  }
}

/** One answer of the model, stored; null if the turn is over without one, which the user has been told. */
async function answerStep(input: TurnInput, round: number, patience: Patience): Promise<MessageEntry | null> {
  const { maintenance, turnId, signal, watch, hurry } = input
  const { session } = maintenance
  const isLastRound = round >= session.agent.maxToolRounds
  const toolChoice = isLastRound ? 'none' : 'auto'
  let limits: RequestLimits = { ...session.refusals.limits(), maxTokens: null, toolChoice }
  for (let refusals = 0; ; refusals += 1) {
    const overspent = findOverspent(session)
    if (overspent !== null) return fail(session, turnId, 'budget-exhausted', overspent)
    const checkPoint = round === 0 ? 'before-turn' : 'before-step'
    const plan = await maintenance.driver.ready({ checkPoint, signal, patience, hurry })
    if (signal.aborted) return breakOff(session, signal, NOTHING_CAME)
    if (plan.action === 'block') {
      // A limit learnt long ago must not close a model for good: it is asked once more.
      if (refusals > 0 || session.learning.windowTokens() === null) {
        return fail(session, turnId, 'cannot-fit', describeCulprit(plan.culprit))
      }
      await session.learning.forgetWindow()
      continue
    }
    const sent = await sendRequest(session, { turnId, limits, numbers: plan.numbers, watch, signal })
    if (sent.kind === 'cannot-fit') return fail(session, turnId, 'cannot-fit', CANNOT_FIT)
    if (sent.kind === 'answered') {
      const { usage, anchor, finish } = sent
      // In the last round the model was told to call nothing: what it calls all the same is not run.
      const parts = isLastRound ? sent.parts.filter(({ type }) => type !== 'tool-call') : sent.parts
      if (isLastRound && textOfParts(parts) === '')
        return fail(session, turnId, 'budget-exhausted', TOO_MANY_ROUNDS, sent)
      const [entry] = await session.log.append([
        {
          type: 'message',
          role: 'assistant',
          parts,
          model: session.model(),
          ...(usage === null ? {} : { usage }),
          anchor,
          finish: finish === 'other' ? 'stop' : finish,
        },
      ])
      return entry as MessageEntry
    }
    if (sent.failure.kind === 'aborted') return breakOff(session, signal, sent)
    const next = await recover(maintenance, { signal, patience, hurry, refusals, limits, sent })
    if (next === null) return fail(session, turnId, FAILURE_CODES[sent.failure.kind], sent.failure.message, sent)
    await billDiscarded(session, sent.usage)
    if (sent.usage !== null) reportUsage(session, turnId, sent.usage)
    session.events.emit(turnId, { type: 'retry', attempt: refusals + 1, reason: sent.failure.kind })
    limits = next
  }
}

const CANNOT_FIT =
  'System prompt, tools and your newest message are larger than the model’s window. Shorten the message, or choose a model with a larger window.'

const TOO_MANY_ROUNDS =
  'The model has called tools for so many rounds that this turn was ended. Tell it to go on, or raise maxToolRounds.'

async function fail(
  session: ActiveSession,
  turnId: string,
  code: AgentErrorCode,
  message: string,
  came = NOTHING_CAME,
): Promise<null> {
  const failure: Failure = { code, message: redactSecrets(message) }
  await storeEnd(session, { finish: 'error', failure }, came)
  session.events.emit(turnId, { type: 'error', ...failure })
  return null
}

/** A parked turn is left as it is, for its next owner. */
async function breakOff(session: ActiveSession, signal: AbortSignal, came: PartOfAnswer): Promise<null> {
  if (!isParked(signal)) await storeEnd(session, { finish: 'aborted' }, came)
  return null
}

interface PartOfAnswer {
  readonly parts: readonly Part[]
  readonly usage: Usage | null
}

const NOTHING_CAME: PartOfAnswer = { parts: [], usage: null }

/** An answer that never came, or came in part, is an entry too: a restart must not think it is still owed. */
async function storeEnd(
  session: ActiveSession,
  end: Pick<MessageEntry, 'finish' | 'failure'>,
  { parts, usage }: PartOfAnswer,
): Promise<void> {
  await session.log.append([
    {
      type: 'message',
      role: 'assistant',
      // Calls that will never run would need results.
      parts: parts.filter(({ type }) => type !== 'tool-call'),
      model: session.model(),
      ...(usage === null ? {} : { usage }),
      ...end,
    },
  ])
}
