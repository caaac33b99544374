import { createDriver } from '@longhaul/engine/advanced'
import type { Driver, DriverEvent } from '@longhaul/engine/advanced'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import type { Budget } from './budget.ts'
import { chooseSummarizer } from './choose-summarizer.ts'
import { saveMemory } from './flush.ts'

/** The notice that a user reads when older messages were left out without a summary. Its words are fixed (ONE-14). */
const TRIMMED_NOTICE = 'Conversation history has been automatically trimmed'

interface SessionDriverOptions {
  /** The turn on which work beside the conversation reports at the moment. */
  readonly openTurn: () => string | null
  /** Called when a turn begins to wait. */
  readonly onWait: () => void
}

/** The engine's driver for a stored session: its log is the store, its clock the agent's, its model the session's. */
export function createSessionDriver(
  session: ActiveSession,
  budget: Budget,
  { openTurn, onWait }: SessionDriverOptions,
): Driver {
  const { agent, log } = session
  return createDriver({
    clock: {
      now: agent.now,
      after(ms, run) {
        const timer = setTimeout(run, ms).unref()
        return () => clearTimeout(timer)
      },
    },
    createStop: () => new AbortController(),
    session: session.context,
    append: (bodies, { epoch, requestId } = {}) =>
      log.append(bodies, { ...(epoch === undefined ? {} : { epoch }), answers: requestId }),
    summarizer: (plan) => chooseSummarizer(session, plan),
    strategies: session.strategies,
    flush: (signal) => saveMemory(session, budget, { signal: signal as AbortSignal, openTurn }),
    canShortenAnswers: true,
    maySpend: budget.hasMoney,
    noteWork(work) {
      if (work !== null) onWait()
      return session.work.note(work)
    },
    afterCompaction: session.refreshEnvironment,
    tell: (event) => report(session, openTurn(), event),
    log: (line) => agent.log({ ...line }),
  })
}

/** Tells clients and the log what the driver did. A flush reports for itself. */
function report(session: ActiveSession, turnId: string | null, event: DriverEvent): void {
  const { agent, events } = session
  switch (event.type) {
    case 'compact-started': {
      const { reason, tokensBefore: tokens } = event
      const threshold = session.limits()?.triggerTokens ?? null
      events.emit(turnId, { type: 'compact-started', reason, tokens, threshold })
      return
    }
    case 'compact-completed': {
      const { didCompact, fallback, tokensBefore, tokensAfter, score } = event
      events.emit(turnId, { type: 'compact-completed', didCompact, fallback, tokensBefore, tokensAfter, score })
      const { compactionCount: compactions, compactionFailures: failures } = session.log.state().head
      const message = didCompact ? 'Compaction is stored.' : 'Compaction did not happen.'
      agent.log({ level: didCompact ? 'info' : 'warn', event: 'compaction-outcome', message, compactions, failures })
      return
    }
    case 'trimmed': {
      const { dropped, reason } = event.trim
      const message = `${dropped.length} messages are left out of requests from now on (${reason}).`
      agent.log({ level: 'warn', event: 'context-trimmed', message })
      events.emit(turnId, { type: 'context-trimmed', message: TRIMMED_NOTICE })
      return
    }
    case 'summary-discarded':
      agent.log({ level: 'info', event: 'compaction-discarded', message: `A summary was not used: ${event.reason}.` })
      return
    case 'problem':
      agent.log({ level: 'warn', event: `${event.work}-lost`, message: describeError(event.error) })
      return
    case 'pruned':
      if (event.isForced) {
        const shortened =
          event.parts === 1 ? 'a tool result was shortened' : `${event.parts} tool results were shortened`
        const message = `The provider refused the request as too long, so ${shortened}.`
        events.emit(turnId, { type: 'context-trimmed', message })
      }
      return
    case 'flush-started':
    case 'summary-made':
      return
    default:
      event satisfies never
  }
}
