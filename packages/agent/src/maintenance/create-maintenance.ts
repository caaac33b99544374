import { planFlush } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'
import { readGauge } from '../session/active-session.ts'
import { createBudget } from './budget.ts'
import { runFlush } from './flush.ts'
import { createHeartbeat } from './heartbeat.ts'
import { giveTitle } from './give-title.ts'
import type { Maintenance } from './maintain.ts'
import { createPreparation } from './prepare-ahead.ts'

/** All that is done for a session besides answering, with one budget. */
export async function createMaintenance(session: ActiveSession): Promise<Maintenance> {
  const preparation = createPreparation(session)
  const budget = await createBudget(session)
  return {
    session,
    preparation,
    heartbeat: createHeartbeat(session, budget),
    maySpend: budget.hasMoney,
    flush: (turnId, signal) => runFlush(session, { turnId, signal }),
    async flushBeforeLoss(turnId, signal) {
      const { head } = session.log.state()
      const { due } = planFlush({
        usedTokens: readGauge(session).tokens,
        limits: session.limits(),
        policy: session.policy(),
        cycle: head.cycle,
        flushedCycle: head.flush.cycle,
        failuresThisCycle: head.flush.failures,
        isForced: true,
      })
      if (due && budget.hasMoney()) await runFlush(session, { turnId, signal })
    },
    giveTitle: (signal) => (budget.hasMoney() ? giveTitle(session, signal) : Promise.resolve()),
    close: () => preparation.stop(),
  }
}
