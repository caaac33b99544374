import { isStillValid } from '@longhaul/engine'
import type { CompactionOutcome, CompactionPlan } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'
import { summarise } from './compact.ts'

interface Prepared {
  readonly plan: CompactionPlan
  readonly outcome: Promise<CompactionOutcome>
  readonly abort: AbortController
}

/** One summary made beside the conversation, to be used when the threshold is reached. Nobody waits for it before that. */
export interface Preparation {
  /** Starts one, unless one is under way or ready that is still of use. */
  start(plan: CompactionPlan): void
  /** Hands over what was prepared, if it is of use to the session as it is now; waits for it if it is under way. */
  take(): Promise<{ readonly plan: CompactionPlan; readonly outcome: CompactionOutcome } | null>
  /** Stops what is under way. What it has cost by then is not known to anybody. */
  stop(): Promise<void>
}

export function createPreparation(session: ActiveSession): Preparation {
  let prepared: Prepared | null = null

  const isOfUse = ({ plan }: Prepared): boolean => isStillValid(plan, session.log.state())

  return {
    start(plan) {
      if (prepared !== null && isOfUse(prepared)) return
      prepared?.abort.abort()
      const abort = new AbortController()
      const outcome = summarise(session, { plan, signal: abort.signal }).catch((error: unknown): CompactionOutcome => ({
        kind: 'failed',
        problems: [String(error)],
        usage: null,
      }))
      prepared = { plan, outcome, abort }
    },
    async take() {
      const found = prepared
      prepared = null
      if (found === null) return null
      if (!isOfUse(found)) found.abort.abort()
      return { plan: found.plan, outcome: await found.outcome }
    },
    async stop() {
      const found = prepared
      prepared = null
      found?.abort.abort()
      await found?.outcome
    },
  }
}
