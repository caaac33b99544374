import { isStillValid } from '@longhaul/engine'
import type { CompactionOutcome, CompactionPlan } from '@longhaul/engine'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { commit, summarise } from './compact.ts'

interface Prepared {
  readonly plan: CompactionPlan
  readonly outcome: Promise<CompactionOutcome>
  readonly abort: AbortController
}

/** One summary made beside the conversation, to be used when the threshold is reached. Nobody waits for it before that. */
export interface Preparation {
  /** Starts one, unless one is under way or ready that is still of use, or it was stopped. */
  start(plan: CompactionPlan): void
  isHeld(): boolean
  /** Hands over what was prepared, to be committed or billed; waits for it if it is under way, of use and not cancelled. */
  take(signal: AbortSignal): Promise<{ readonly plan: CompactionPlan; readonly outcome: CompactionOutcome } | null>
  /** Stops what is under way; none is started any more. */
  stop(): void
}

export function createPreparation(session: ActiveSession): Preparation {
  let prepared: Prepared | null = null
  let isStopped = false

  const isOfUse = ({ plan }: Prepared): boolean => isStillValid(plan, session.log.state())

  /** Of no use any more, but it may have been paid for. */
  async function discard({ plan, outcome, abort }: Prepared): Promise<void> {
    abort.abort()
    try {
      await commit(session, plan, await outcome)
    } catch (error) {
      session.agent.log({ level: 'warn', event: 'bill-lost', message: describeError(error) })
    }
  }

  return {
    start(plan) {
      if (isStopped || (prepared !== null && isOfUse(prepared))) return
      if (prepared !== null) void discard(prepared)
      const abort = new AbortController()
      const outcome = summarise(session, { plan, signal: abort.signal }).catch((error: unknown): CompactionOutcome => ({
        kind: 'failed',
        problems: [String(error)],
        usage: null,
      }))
      prepared = { plan, outcome, abort }
    },
    isHeld: () => prepared !== null,
    async take(signal) {
      const found = prepared
      prepared = null
      if (found === null) return null
      const stop = (): void => found.abort.abort()
      if (!isOfUse(found) || signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        return { plan: found.plan, outcome: await found.outcome }
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    stop() {
      isStopped = true
      prepared?.abort.abort()
    },
  }
}
