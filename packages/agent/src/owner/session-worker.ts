import type { JsonObject, ToolCallPart } from '@longhaul/engine/advanced'
import type { Lease, SessionRecord } from '@longhaul/store/port'
import { describeError, isLeaseLost, toAgentError } from '../agent-error.ts'
import { createApprovals } from '../approval/approvals.ts'
import { createMaintenance } from '../maintenance/create-maintenance.ts'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import { settleCrash } from '../recovery/settle-crash.ts'
import { readLastEvents, settleEvents } from '../recovery/settle-events.ts'
import { createActiveSession } from '../session/active-session.ts'
import type { ActiveSession, ResolvedOptions } from '../session/active-session.ts'
import { createDesk, logProblem } from './desk.ts'
import { createIdleTime } from './idle-time.ts'
import { createInHand } from './in-hand.ts'
import type { InHand } from './in-hand.ts'
import { createInboxReader } from './inbox-reader.ts'
import type { InboxReader } from './inbox-reader.ts'

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
  const inHand = createInHand()
  const stopping = new AbortController()
  let active: ActiveSession | null = null
  let isBusy = true
  /** Before the session is open, all that the owner before left is still to be settled. */
  let left = (): JsonObject | null => input.abandoned
  let failure: { readonly error: unknown } | null = null

  /** Leaves what is under way to the next owner. */
  function stop(): void {
    stopping.abort()
    inHand.park()
    idle.ring()
  }

  /** Something beside the turn failed that is to be tried again later, by whoever opens the session next. */
  function fail(error: unknown): void {
    failure ??= { error }
    stop()
  }

  async function work(): Promise<void> {
    const { maintenance, waiting } = await openInOrder(input)
    const { session } = maintenance
    active = session
    left = session.work.left
    void session.events.leaseLost.then(stop)
    const approvals = createApprovals(session, waiting)
    const inbox = openInbox(maintenance, { inHand, stop, answer: approvals.answer })
    const look = async (): Promise<void> => {
      // Cancels and approvals are for the turn under way: they do not wait for its end.
      const next = await inbox.look()
      if (next === null) return
      inHand.hurryFor(next.id)
      idle.ring()
    }
    const unwatch = watchInbox(session, look)
    maintenance.onWait(() => void look().catch((error: unknown) => logProblem(session, error)))
    const desk = createDesk({ maintenance, approvals, inHand, idle, stop, fail })
    try {
      const owed = session.owed()
      // It may have been cancelled since. What else was cancelled waits in the inbox itself, and its cancel with it.
      if (owed !== null) await inbox.look()
      if (owed !== null && !stopping.signal.aborted) await desk.takeTurn(owed.id, waiting)
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
        await desk.take(item)
        idle.restart()
      }
      if (failure !== null) throw failure.error
    } finally {
      unwatch()
      active = null
      // Tools that still run are of no use to anybody any more.
      inHand.park()
      desk.endTurn()
      await leave(maintenance)
    }
  }

  const ended = runToEnd(input, work, () => left())
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

interface InboxHands {
  readonly inHand: InHand
  readonly stop: () => void
  readonly answer: (callId: string, allow: boolean) => void
}

/** While a request runs beside the conversation, messages are begun; other requests wait for it. */
function openInbox({ session, driver }: Maintenance, { inHand, stop, answer }: InboxHands): InboxReader {
  return createInboxReader(session, {
    isInHand: ({ id }) => id === inHand.beside(),
    mayBegin: ({ kind }) => kind === 'message' || inHand.beside() === null,
    begin: ({ id }) => inHand.begin(id),
    cancel() {
      inHand.cancel()
      driver.cancel()
    },
    answer,
    leave() {
      inHand.cancel()
      stop()
    },
  })
}

/** False: something failed that nobody expected. The session is given back either way. */
async function runToEnd(
  input: WorkerInput,
  work: () => Promise<void>,
  left: () => JsonObject | null,
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isLeaseLost(error)) return true
    await report(input, error)
    return false
  } finally {
    await input.agent.store.leases.release(input.lease, left()).catch(() => undefined)
  }
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

/** Whoever waits for an answer hears why it takes longer. */
async function report({ agent, lease }: WorkerInput, error: unknown): Promise<void> {
  const { log, store, now } = agent
  const { sessionId } = lease
  log({ level: 'error', event: 'session-failed', message: describeError(error), sessionId })
  const { code, message } = toAgentError(error)
  const event = { turnId: null, type: 'error', code, message }
  await store.events.add(sessionId, now(), [event], lease).catch(() => undefined)
}
