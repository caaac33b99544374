import type { ToolCallPart } from '@longhaul/engine/advanced'
import type { InboxItem } from '@longhaul/store/port'
import { describeError, isLeaseLost } from '../agent-error.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { runTurn } from '../turn/run-turn.ts'
import { createRequestWatch } from '../turn/watch-request.ts'
import { handleRequest } from './handle-request.ts'
import type { IdleTime } from './idle-time.ts'
import type { InHand } from './in-hand.ts'
import { beginTail } from './turn-tail.ts'
import type { TurnTail } from './turn-tail.ts'
import { readUserMessage } from './user-message.ts'

/** Does what the inbox holds, one item after the other. */
export interface Desk {
  readonly take: (item: InboxItem) => Promise<void>
  /** Answers a message that is stored already. */
  readonly takeTurn: (turnId: string, waiting?: readonly ToolCallPart[]) => Promise<void>
  /** The last turn is told to be over, unless its next owner goes on with it. */
  readonly endTurn: () => void
}

export interface DeskInput {
  readonly maintenance: Maintenance
  readonly approvals: Approvals
  readonly inHand: InHand
  readonly idle: IdleTime
  readonly stop: () => void
  /** Ends the work on the session as failed. */
  readonly fail: (error: unknown) => void
}

export function createDesk({ maintenance, approvals, inHand, idle, stop, fail }: DeskInput): Desk {
  const { session } = maintenance
  const watch = createRequestWatch(session)
  let tail: TurnTail | null = null

  async function takeTurn(turnId: string, waiting: readonly ToolCallPart[] = []): Promise<void> {
    const signal = inHand.signal()
    maintenance.setOpenTurn(turnId)
    await runTurn({
      maintenance,
      watch,
      turnId,
      signal,
      hurry: inHand.hurrySignal(),
      waiting,
      askApproval: (call, reason) => approvals.ask(call, reason, turnId, signal),
    })
    // Parked: its next owner goes on with it, and ends it.
    if (session.owed() !== null) return
    await afterReply(maintenance, signal)
    tail = beginTail(maintenance, turnId)
  }

  /** A compaction or a flush takes seconds: the conversation goes on meanwhile. */
  async function handleBeside(item: InboxItem): Promise<void> {
    inHand.moveBeside(item.id)
    try {
      await handleRequest(maintenance, item, inHand.signal())
    } catch (error) {
      if (isLeaseLost(error)) stop()
      // It could not be settled and stays in the inbox: taken again at once, it would fail again at once, for ever.
      else fail(error)
    }
    inHand.endBeside()
    idle.restart()
    idle.ring()
  }

  return {
    async take(item) {
      tail?.end()
      if (item.kind === 'message') {
        await session.log.append([readUserMessage(item)], { settles: [item.id], isMove: true })
        await takeTurn(item.id)
      } else if (item.kind === 'compact' || item.kind === 'flush') {
        void handleBeside(item)
      } else {
        await handleRequest(maintenance, item, inHand.signal())
      }
    },
    takeTurn,
    endTurn() {
      if (session.owed() === null) tail?.end()
    },
  }
}

/** Compaction and flush that are due begin after the reply, beside the conversation. */
async function afterReply(
  { driver, titling, createPatience, session }: Maintenance,
  signal: AbortSignal,
): Promise<void> {
  try {
    await driver.ready({ checkPoint: 'after-response', signal, patience: createPatience() })
    titling.start()
  } catch (error) {
    logProblem(session, error)
  }
}

export function logProblem(session: ActiveSession, error: unknown): void {
  session.agent.log({ level: 'error', event: 'session-problem', message: describeError(error) })
}
