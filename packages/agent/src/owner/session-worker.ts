import type { JsonObject, ToolCallPart } from '@longhaul/engine/advanced'
import type { InboxItem, Lease, SessionRecord } from '@longhaul/store/port'
import { describeError, isLeaseLost, toAgentError } from '../agent-error.ts'
import { createApprovals } from '../approval/approvals.ts'
import { createMaintenance } from '../maintenance/create-maintenance.ts'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import { settleCrash } from '../recovery/settle-crash.ts'
import { readLastEvents, settleEvents } from '../recovery/settle-events.ts'
import { park } from '../session/park.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { TurnInput } from '../turn/run-turn.ts'
import { createActiveSession } from '../session/active-session.ts'
import type { ActiveSession, ResolvedOptions } from '../session/active-session.ts'
import { handleRequest } from './handle-request.ts'
import { createIdleTime } from './idle-time.ts'
import { createInboxReader } from './inbox-reader.ts'
import { createRequestWatch } from '../turn/watch-request.ts'
import { beginTail } from './turn-tail.ts'
import type { TurnTail } from './turn-tail.ts'
import { readUserMessage } from './user-message.ts'

/** The one owner of a session at work: takes what the inbox holds, in order, until there is nothing left for a while. */
export interface SessionWorker {
  /** Resolves when the session has been given back or lost: false if something failed that nobody expected. */
  readonly ended: Promise<boolean>
  isBusy(): boolean
  /** null: not open yet, or not any more. */
  session(): ActiveSession | null
  /** Something may have arrived. */
  wake(): void
  /** Ends after the step under way is stored; what waits stays in the inbox. */
  stop(): Promise<void>
}

export interface WorkerInput {
  readonly agent: ResolvedOptions
  readonly record: SessionRecord
  readonly lease: Lease
  readonly abandoned: JsonObject | null
}

export function startWorker(input: WorkerInput): SessionWorker {
  const idle = createIdleTime()
  const stopping = new AbortController()
  /** Stops the turn or the request under way. */
  let current = new AbortController()
  /** A compaction or a flush that was asked for, while it runs beside the conversation. */
  let beside: BesideRequest | null = null
  let tail: TurnTail | null = null
  let active: ActiveSession | null = null
  let isBusy = true

  /** Leaves what is under way to the next owner. */
  function stop(): void {
    stopping.abort()
    park(current)
    if (beside !== null) park(beside.stop)
    idle.ring()
  }

  async function work(): Promise<void> {
    const { maintenance, waiting } = await openInOrder(input)
    const { session, driver } = maintenance
    active = session
    void session.events.leaseLost.then(stop)
    const approvals = createApprovals(session, waiting)
    const watch = createRequestWatch(session)
    const inbox = createInboxReader(session, {
      isInHand: ({ id }) => id === beside?.id,
      mayBegin: ({ kind }) => kind === 'message' || beside === null,
      begin: () => void (current = new AbortController()),
      cancel() {
        current.abort()
        beside?.stop.abort()
        driver.cancel()
      },
      answer: approvals.answer,
      leave() {
        current.abort()
        beside?.stop.abort()
        stop()
      },
    })
    const unwatch = watchInbox(session, async () => {
      // Cancels and approvals are for the turn under way: they do not wait for its end.
      if (await inbox.look()) idle.ring()
    })
    const turn = async (turnId: string, calls: TurnInput['waiting'] = []): Promise<void> => {
      const { signal } = current
      const askApproval: TurnInput['askApproval'] = (call, reason) => approvals.ask(call, reason, turnId, signal)
      maintenance.setOpenTurn(turnId)
      await runTurn({ maintenance, watch, turnId, signal, askApproval, waiting: calls })
      // Parked: its next owner goes on with it, and ends it.
      if (session.owed() !== null) return
      await afterReply(maintenance, signal)
      tail = beginTail(maintenance, turnId)
    }
    const handleBeside = (item: InboxItem): void => {
      const { signal } = current
      const done = handleRequest(maintenance, item, signal).catch((error: unknown) => {
        if (isLeaseLost(error)) stop()
        else logProblem(session, error)
      })
      beside = { id: item.id, stop: current }
      void done.then(() => {
        beside = null
        idle.restart()
        idle.ring()
      })
    }
    try {
      const owed = session.owed()
      // It may have been cancelled since. What else was cancelled waits in the inbox itself, and its cancel with it.
      if (owed !== null) await inbox.look()
      if (owed !== null && !stopping.signal.aborted) await turn(owed.id, waiting)
      approvals.expectNone()
      idle.restart()
      while (!stopping.signal.aborted) {
        const item = await inbox.take()
        if (stopping.signal.aborted) break
        isBusy = item !== null
        if (item === null) {
          if (!(await idle.pass(maintenance))) break
          continue
        }
        tail?.end()
        if (item.kind === 'message') {
          await session.log.append([readUserMessage(item)], { settles: [item.id], isMove: true })
          await turn(item.id)
        } else if (item.kind === 'compact' || item.kind === 'flush') {
          handleBeside(item)
        } else {
          await handleRequest(maintenance, item, current.signal)
        }
        idle.restart()
      }
    } finally {
      unwatch()
      active = null
      // Tools that still run are of no use to anybody any more.
      park(current)
      if (session.owed() === null) tail?.end()
      await leave(maintenance)
    }
  }

  const ended = runToEnd(input, work)
  return {
    ended,
    isBusy: () => isBusy,
    session: () => active,
    wake: () => idle.ring(),
    async stop() {
      stop()
      await ended
    },
  }
}

/** False: something failed that nobody expected. The session is given back either way. */
async function runToEnd(input: WorkerInput, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isLeaseLost(error)) return true
    await report(input, error)
    return false
  } finally {
    await input.agent.store.leases.release(input.lease).catch(() => undefined)
  }
}

interface BesideRequest {
  readonly id: string
  readonly stop: AbortController
}

interface Opened {
  readonly maintenance: Maintenance
  /** Tool calls that are still to be run. */
  readonly waiting: readonly ToolCallPart[]
}

/** Whatever the last owner left behind is settled. */
async function openInOrder({ agent, record, lease, abandoned }: WorkerInput): Promise<Opened> {
  const [session, told] = await Promise.all([
    createActiveSession(agent, record, lease),
    readLastEvents(agent.store, record.id),
  ])
  const waiting = await settleCrash(session, abandoned)
  settleEvents(session, told)
  return { maintenance: createMaintenance(session), waiting }
}

/** Calls back when something may have come for the session. */
function watchInbox(session: ActiveSession, look: () => Promise<void>): () => void {
  return session.agent.store.watch(({ what }) => {
    if (what === 'inbox' || what === 'any') look().catch((error: unknown) => logProblem(session, error))
  }, session.id)
}

async function leave({ session, close }: Maintenance): Promise<void> {
  await close()
  await session.journal.drain()
  await session.events.drain()
}

/** Compaction and flush that are due begin after the reply, beside the conversation. */
async function afterReply(maintenance: Maintenance, signal: AbortSignal): Promise<void> {
  const { driver, titling } = maintenance
  try {
    await driver.ready({ checkPoint: 'after-response', signal, patience: maintenance.createPatience() })
    titling.start()
  } catch (error) {
    logProblem(maintenance.session, error)
  }
}

/** Whoever waits for an answer hears why it takes longer. */
async function report({ agent, lease }: WorkerInput, error: unknown): Promise<void> {
  const { log, store, now } = agent
  const { sessionId } = lease
  log({ level: 'error', event: 'session-failed', message: describeError(error), sessionId })
  const { code, message } = toAgentError(error)
  const event = { turnId: null, type: 'error', code, message }
  await store.events.add(sessionId, now(), [event], lease).catch(() => undefined)
}

function logProblem(session: ActiveSession, error: unknown): void {
  session.agent.log({ level: 'error', event: 'session-problem', message: describeError(error) })
}
