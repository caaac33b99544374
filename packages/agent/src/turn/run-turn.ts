import type { Culprit, MessageEntry, Part, ToolCallPart, Usage } from '@longhaul/engine'
import { warnIfFull } from '../maintenance/warn.ts'
import { maintain } from '../maintenance/maintain.ts'
import type { Maintenance } from '../maintenance/maintain.ts'
import type { AgentErrorCode } from '../port/agent-event.ts'
import { recover } from '../recovery/recover-overflow.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { runTools } from './run-tools.ts'
import type { ToolRun } from './run-tools.ts'
import { USUAL_LIMITS, sendRequest } from './send-request.ts'
import type { RequestLimits } from './send-request.ts'
import { isParked } from './park.ts'
import { codeOf } from './turn-error.ts'

export interface TurnInput extends ToolRun {
  readonly maintenance: Maintenance
}

/**
 * Answers what the transcript ends with: asks the model, runs its tools, asks again, until it has answered. The user's
 * message is stored before this starts; whatever ends a turn early is stored as well, so that no restart repeats it.
 */
export async function runTurn(input: TurnInput): Promise<void> {
  const { maintenance, turnId, signal } = input
  const { session } = maintenance
  for (let round = 0; ; round += 1) {
    const answer = await answerStep(input, round)
    if (answer === null) return
    const calls = answer.parts.filter((part): part is ToolCallPart => part.type === 'tool-call')
    if (calls.length === 0) {
      session.events.emit(turnId, { type: 'response-complete', id: answer.id, text: textOf(answer.parts) })
      break
    }
    await runTools(session, calls, input)
    if (signal.aborted) {
      if (!isParked(signal)) await storeEnd(session, 'aborted', [], null)
      return
    }
  }
  warnIfFull(session, turnId)
}

/** One answer of the model, stored; null if the turn is over without one, which the user has been told. */
async function answerStep(input: TurnInput, round: number): Promise<MessageEntry | null> {
  const { maintenance, turnId, signal } = input
  const { session } = maintenance
  const isLastRound = round >= session.agent.maxToolRounds
  let limits: RequestLimits = { ...USUAL_LIMITS, toolChoice: isLastRound ? 'none' : 'auto' }
  for (let refusals = 0; ; refusals += 1) {
    const overspent = findOverspent(session)
    if (overspent !== null) return fail(session, turnId, 'budget-exhausted', overspent)
    const plan = await maintain(maintenance, {
      checkPoint: round === 0 ? 'before-turn' : 'before-step',
      turnId,
      signal,
    })
    if (plan.action === 'block') return fail(session, turnId, 'cannot-fit', describeCulprit(plan.culprit))
    const sent = await sendRequest(session, { turnId, limits, numbers: plan.numbers, signal })
    if (sent.kind === 'cannot-fit') return fail(session, turnId, 'cannot-fit', CANNOT_FIT)
    if (sent.kind === 'answered') {
      const { anchor, finish } = sent
      const [entry] = await session.log.append([
        {
          type: 'message',
          role: 'assistant',
          // In the last round the model was told to call nothing: what it calls all the same is not run.
          parts: isLastRound ? sent.parts.filter(({ type }) => type !== 'tool-call') : sent.parts,
          model: session.model(),
          ...(sent.usage === null ? {} : { usage: sent.usage }),
          anchor,
          finish: finish === 'other' ? 'stop' : finish,
        },
      ])
      return entry as MessageEntry
    }
    if (sent.failure.kind === 'aborted') {
      if (!isParked(signal)) await storeEnd(session, 'aborted', sent.parts, sent.usage)
      return null
    }
    const next = await recover(maintenance, { turnId, signal, refusals, limits, sent })
    if (next === null) {
      await storeEnd(session, 'error', sent.parts, sent.usage)
      session.events.emit(turnId, { type: 'error', code: codeOf(sent.failure), message: sent.failure.message })
      return null
    }
    session.events.emit(turnId, { type: 'retry', attempt: refusals + 1, reason: sent.failure.kind })
    limits = next
  }
}

const CANNOT_FIT =
  'System prompt, tools and your newest message are larger than the model’s window. Shorten the message, or choose a model with a larger window.'

async function fail(session: ActiveSession, turnId: string, code: AgentErrorCode, message: string): Promise<null> {
  await storeEnd(session, 'error', [], null)
  session.events.emit(turnId, { type: 'error', code, message })
  return null
}

/** An answer that never came, or came in part, is an entry too: a restart must not think it is still owed. */
async function storeEnd(
  session: ActiveSession,
  finish: 'aborted' | 'error',
  parts: readonly Part[],
  usage: Usage | null,
): Promise<void> {
  await session.log.append([
    {
      type: 'message',
      role: 'assistant',
      // Calls that will never run would need results.
      parts: parts.filter(({ type }) => type !== 'tool-call'),
      model: session.model(),
      ...(usage === null ? {} : { usage }),
      finish,
    },
  ])
}

function findOverspent(session: ActiveSession): string | null {
  const limit = session.agent.spend?.sessionUsd ?? null
  const { costUsd } = session.log.state().head.totals
  if (limit === null || costUsd < limit) return null
  return `This session has cost $${costUsd.toFixed(2)}; its limit is $${limit.toFixed(2)}. Raise limits.sessionUsd to go on.`
}

function describeCulprit({ label, tokens, neededTokens, inputTokens }: Culprit): string {
  return `This can never fit: ${label} alone is about ${tokens} tokens; with what cannot be left out it comes to ${neededTokens}, and there is room for ${inputTokens}. Make it shorter, or choose a model with a larger window.`
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
