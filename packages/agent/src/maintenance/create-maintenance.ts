import type { Driver, Patience } from '@longhaul/engine/advanced'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { createBudget } from './budget.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { Heartbeat } from './heartbeat.ts'
import { createSessionDriver } from './session-driver.ts'
import { createTitling } from './titling.ts'
import type { Titling } from './titling.ts'
import { createWarning } from './warn.ts'

/** All that is done for a session besides answering, with one budget. */
export interface Maintenance {
  readonly session: ActiveSession
  readonly driver: Driver
  readonly heartbeat: Heartbeat
  readonly titling: Titling
  readonly warnIfFull: (turnId: string | null) => void
  /** Work beside the conversation reports on this turn from now on; null: on none. */
  readonly setOpenTurn: (turnId: string | null) => void
  /** Calls back when a turn begins to wait for maintenance. */
  readonly onWait: (listener: () => void) => void
  /** The time that one turn may wait for maintenance. */
  readonly createPatience: () => Patience
  /** Never throws. */
  readonly close: () => Promise<void>
}

export function createMaintenance(session: ActiveSession): Maintenance {
  const budget = createBudget(session)
  const titling = createTitling(session, budget)
  let openTurn: string | null = null
  let hearWait = (): void => undefined
  const driver = createSessionDriver(session, budget, { openTurn: () => openTurn, onWait: () => hearWait() })
  return {
    session,
    driver,
    heartbeat: createHeartbeat(session, budget),
    titling,
    warnIfFull: createWarning(session),
    onWait: (listener) => void (hearWait = listener),
    setOpenTurn: (turnId) => void (openTurn = turnId),
    createPatience: () => ({ leftMs: session.policy().compaction.timeoutMs }),
    async close() {
      try {
        await Promise.all([driver.stop(), titling.stop()])
      } catch (error) {
        session.agent.log({ level: 'warn', event: 'maintenance-lost', message: describeError(error) })
      }
    },
  }
}
