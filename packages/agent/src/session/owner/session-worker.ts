import type { JsonObject } from '@longhaul/engine'
import type { Lease, SessionRecord } from '@longhaul/store/port'
import { describeError, isLeaseLost, toAgentError } from '../../agent-error.ts'
import { createApprovals } from '../../approval/approvals.ts'
import { maintain } from '../../maintenance/maintain.ts'
import type { Maintenance } from '../../maintenance/maintain.ts'
import { createMaintenance } from '../../maintenance/create-maintenance.ts'
import { owesAnswer, settleCrash } from '../../recovery/settle-crash.ts'
import { settleEvents } from '../../recovery/settle-events.ts'
import { park } from '../../turn/park.ts'
import { runTurn } from '../../turn/run-turn.ts'
import type { TurnInput } from '../../turn/run-turn.ts'
import { createActiveSession } from '../active-session.ts'
import type { ActiveSession, ResolvedOptions } from '../active-session.ts'
import { handleRequest } from './handle-request.ts'
import { createInboxReader } from './inbox-reader.ts'
import { listMessages } from '../list-messages.ts'
import { readUserMessage } from './user-message.ts'
import { createWakeUp } from './wake-up.ts'
import type { WakeUp } from './wake-up.ts'

/** The one owner of a session at work: takes what the inbox holds, in order, until there is nothing left for a while. */
export interface SessionWorker {
  /** Resolves when the session has been given back or lost: false if something failed that nobody expected. */
  readonly ended: Promise<boolean>
  isBusy(): boolean
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

/** How long an owner keeps a session that nobody writes to. */
const DEFAULT_IDLE_MS = 30_000
/** With a summary ready for it: by then prompt caches are cold, and using it breaks none. */
const PREPARED_IDLE_MS = 5 * 60_000

export function startWorker(input: WorkerInput): SessionWorker {
  const { agent, lease, record } = input
  const wakeUp = createWakeUp()
  const stopping = new AbortController()
  /** Of the turn or the request under way. */
  let current = new AbortController()
  /** Of the time between them: over as soon as something comes in. */
  let idle = new AbortController()
  let isBusy = true

  async function work(): Promise<void> {
    const session = await createActiveSession(agent, record, lease)
    const maintenance = createMaintenance(session)
    const waiting = await settleCrash(session, input.abandoned)
    await settleEvents(session)
    const approvals = createApprovals(session, waiting)
    const inbox = createInboxReader(session, {
      begin: () => void (current = new AbortController()),
      cancel: () => current.abort(),
      answer: approvals.answer,
    })
    const unwatch = agent.store.watch(({ sessionId, what }) => {
      if ((sessionId !== null && sessionId !== session.id) || (what !== 'inbox' && what !== 'any')) return
      idle.abort()
      wakeUp.wake()
      // Cancels and approvals are for the turn under way: they do not wait for its end.
      void inbox.look().catch((error: unknown) => logProblem(session, error))
    })
    const turn = (turnId: string, calls: TurnInput['waiting'] = []): Promise<void> => {
      const { signal } = current
      const askApproval: TurnInput['askApproval'] = (call, reason) => approvals.ask(call, reason, turnId, signal)
      return runToDone({ maintenance, turnId, signal, askApproval, waiting: calls })
    }
    try {
      const isOwed = owesAnswer(session.log.state())
      // It may have been cancelled since. What else was cancelled waits in the inbox itself, and its cancel with it.
      if (isOwed) await inbox.look()
      if (isOwed) await turn(lastUserMessageId(session), waiting)
      approvals.expectNone()
      while (!stopping.signal.aborted) {
        const item = await inbox.take()
        if (stopping.signal.aborted) break
        isBusy = item !== null
        if (item === null) {
          idle = new AbortController()
          if (!(await waitForMore(maintenance, wakeUp, idle.signal))) break
        } else if (item.kind === 'message') {
          await session.log.append([readUserMessage(item)], { settles: [item.id] })
          await turn(item.id)
        } else {
          await handleRequest(maintenance, item, current.signal)
        }
      }
    } finally {
      unwatch()
      // Tools that still run are of no use to anybody any more.
      park(current)
      await leave(maintenance)
    }
  }

  async function workToTheEnd(): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (isLeaseLost(error)) return true
      await report(agent, record.id, error)
      return false
    } finally {
      await agent.store.leases.release(lease).catch(() => undefined)
    }
  }
  const ended = workToTheEnd()

  return {
    ended,
    isBusy: () => isBusy,
    wake: () => wakeUp.wake(),
    async stop() {
      stopping.abort()
      park(current)
      idle.abort()
      wakeUp.wake()
      await ended
    },
  }
}

/** A turn, and what follows its reply. */
async function runToDone(input: TurnInput): Promise<void> {
  const { maintenance, turnId, signal } = input
  const { session } = maintenance
  await runTurn(input)
  // Parked: its next owner goes on with it, and ends it.
  if (owesAnswer(session.log.state())) return
  await afterReply(maintenance, turnId, signal)
  session.events.emit(turnId, { type: 'done' })
}

async function leave({ session, close }: Maintenance): Promise<void> {
  await close()
  await session.journal.drain()
  await session.events.drain()
}

/** False: nobody has written for so long that the session is given back. */
async function waitForMore(maintenance: Maintenance, wakeUp: WakeUp, signal: AbortSignal): Promise<boolean> {
  const { heartbeat, preparation, session } = maintenance
  const idleMs = session.agent.idleMs ?? (preparation.isHeld() ? PREPARED_IDLE_MS : DEFAULT_IDLE_MS)
  const dueInMs = await heartbeat.dueInMs()
  if (dueInMs === null) return wakeUp.wait(idleMs)
  if (!(await wakeUp.wait(dueInMs))) await heartbeat.beat(signal)
  return true
}

/** Compaction and flush come after the reply, so that nobody waits for them. */
async function afterReply(maintenance: Maintenance, turnId: string, signal: AbortSignal): Promise<void> {
  try {
    await maintain(maintenance, { checkPoint: 'after-response', turnId, signal })
    await maintenance.giveTitle(signal)
  } catch (error) {
    logProblem(maintenance.session, error)
  }
}

/** It may have been asked before the last compaction: then it is carried along. */
function lastUserMessageId(session: ActiveSession): string {
  return listMessages(session.log.state()).findLast(({ message }) => message.role === 'user')?.entry.id ?? session.id
}

/** Whoever waits for an answer hears why it takes longer. */
async function report({ log, store, now }: ResolvedOptions, sessionId: string, error: unknown): Promise<void> {
  log({ level: 'error', event: 'session-failed', message: describeError(error), sessionId })
  const { code, message } = toAgentError(error)
  const event = { turnId: null, type: 'error', code, message }
  await store.events.add(sessionId, now(), [event]).catch(() => undefined)
}

function logProblem(session: ActiveSession, error: unknown): void {
  session.agent.log({ level: 'error', event: 'session-problem', message: describeError(error) })
}
