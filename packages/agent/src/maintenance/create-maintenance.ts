import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { createPinWatch } from '../turn/watch-pins.ts'
import { createBudget } from './budget.ts'
import { createFlushing } from './flushing.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createTitling } from './titling.ts'
import { usePrepared } from './maintain.ts'
import type { Maintenance } from './maintain.ts'
import { createPreparation } from './prepare-ahead.ts'
import { createWarning } from './warn.ts'

/** All that is done for a session besides answering, with one budget. */
export function createMaintenance(session: ActiveSession): Maintenance {
  const preparation = createPreparation(session)
  const budget = createBudget(session)
  const flushing = createFlushing(session, budget)
  const titling = createTitling(session, budget)
  return {
    session,
    preparation,
    heartbeat: createHeartbeat(session, budget),
    maySpend: budget.hasMoney,
    flushing,
    titling,
    warnIfFull: createWarning(session),
    watchPins: createPinWatch(session),
    async close() {
      preparation.stop()
      await Promise.all([flushing.stop(), titling.stop()])
      try {
        // A summary that is ready has been paid for.
        await usePrepared(session, preparation, { turnId: null, signal: AbortSignal.abort() })
      } catch (error) {
        session.agent.log({ level: 'warn', event: 'preparation-lost', message: describeError(error) })
      }
    },
  }
}
