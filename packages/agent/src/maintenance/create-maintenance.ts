import { planFlush } from '@longhaul/engine'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { isEmpty } from '../session/list-messages.ts'
import { readGauge } from '../session/read-gauge.ts'
import { createPinWatch } from '../turn/watch-pins.ts'
import { createBudget } from './budget.ts'
import { runFlush } from './flush.ts'
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
  const titling = createTitling(session, budget)
  return {
    session,
    preparation,
    heartbeat: createHeartbeat(session, budget),
    maySpend: budget.hasMoney,
    flush: (turnId, signal) => runFlush(session, { turnId, signal }),
    async flushBeforeLoss(turnId, signal) {
      const state = session.log.state()
      if (isEmpty(state)) return
      const { head } = state
      const { due } = planFlush({
        usedTokens: readGauge(session.context()).tokens,
        limits: session.limits(),
        policy: session.policy(),
        cycle: head.cycle,
        flushedCycle: head.flush.cycle,
        failuresThisCycle: head.flush.failures,
        isForced: true,
      })
      if (due && (await budget.hasMoney())) await runFlush(session, { turnId, signal })
    },
    titling,
    warnIfFull: createWarning(session),
    watchPins: createPinWatch(session),
    async close() {
      preparation.stop()
      await titling.stop()
      try {
        // A summary that is ready has been paid for.
        await usePrepared(session, preparation, { turnId: null, signal: AbortSignal.abort() })
      } catch (error) {
        session.agent.log({ level: 'warn', event: 'preparation-lost', message: describeError(error) })
      }
    },
  }
}
