import { readParts } from '@longhaul/engine/advanced'
import type { Part, ToolCallPart } from '@longhaul/engine/advanced'
import type { InboxItem } from '@longhaul/store/port'
import { describeError, isLeaseLost } from '../agent-error.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import type { ActiveSession } from '../session/active-session.ts'
import type { EntryDraft } from '../session/session-log.ts'
import { runTurn } from '../turn/run-turn.ts'
import { createRequestWatch } from '../turn/watch-request.ts'
import { handleRequest } from './handle-request.ts'
import type { IdleTime } from './idle-time.ts'
import type { InHand } from './in-hand.ts'

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
  let endTail = (): void => undefined

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
    endTail = beginTail(maintenance, turnId)
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
      endTail()
      if (item.kind === 'message') {
        await session.log.append([readUserMessage(item)], { settles: [item.id], isKeptElsewhere: true })
        await takeTurn(item.id)
      } else if (item.kind === 'compact' || item.kind === 'flush') {
        void handleBeside(item)
      } else {
        await handleRequest(maintenance, item, inHand.signal())
      }
    },
    takeTurn,
    endTurn() {
      if (session.owed() === null) endTail()
    },
  }
}

/** A message as it waits in the inbox becomes the user's entry, under the same id. */
function readUserMessage({ id, payload }: InboxItem): EntryDraft {
  const text = typeof payload['text'] === 'string' ? payload['text'] : ''
  const attachments = Array.isArray(payload['attachments']) ? readParts(payload['attachments'], 'user') : []
  const parts: readonly Part[] = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attachments]
  return { type: 'message', role: 'user', id, parts }
}

/** Nobody who follows a turn waits longer than this for its `done`: a summary that hangs goes on without them. */
const MAX_TAIL_MS = 15_000

/**
 * Begins the time after a reply in which maintenance still reports on its turn. The function it returns ends that time
 * with `done`, because something else begins; else it ends by itself.
 */
function beginTail({ driver, session, setOpenTurn }: Maintenance, turnId: string): () => void {
  let isOver = false
  const timer = setTimeout(end, MAX_TAIL_MS).unref()
  function end(): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    session.events.emit(turnId, { type: 'done' })
    setOpenTurn(null)
  }
  void driver.settled('due').then(end)
  return end
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
