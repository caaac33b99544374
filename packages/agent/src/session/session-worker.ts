import type { JsonObject } from '@longhaul/engine'
import type { InboxItem, Lease, SessionRecord } from '@longhaul/store/port'
import { createApprovals } from '../approval/approvals.ts'
import { maintain } from '../maintenance/maintain.ts'
import type { Maintenance } from '../maintenance/maintain.ts'
import { createMaintenance } from '../maintenance/create-maintenance.ts'
import { owesAnswer, settleCrash } from '../recovery/settle-crash.ts'
import { isParked, park } from '../turn/park.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { TurnInput } from '../turn/run-turn.ts'
import { createActiveSession } from './active-session.ts'
import type { ActiveSession, ResolvedOptions } from './active-session.ts'
import { handleRequest } from './handle-request.ts'
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
export const DEFAULT_IDLE_MS = 30_000

export function startWorker(input: WorkerInput): SessionWorker {
  const { agent, lease, record } = input
  const wakeUp = createWakeUp()
  const stopping = new AbortController()
  /** Of the turn or the request under way. */
  let current = new AbortController()
  let isBusy = true

  async function work(): Promise<void> {
    const session = await createActiveSession(agent, record, lease)
    const maintenance = await createMaintenance(session)
    const approvals = createApprovals(session)
    const look = (): Promise<readonly InboxItem[]> => takeWaiting(session, approvals.answer, () => current.abort())
    const unwatch = agent.store.watch(({ sessionId, what }) => {
      if ((sessionId !== null && sessionId !== session.id) || (what !== 'inbox' && what !== 'any')) return
      wakeUp.wake()
      // Cancels and approvals are for the turn under way: they do not wait for its end.
      void look().catch((error: unknown) => logProblem(session, error))
    })
    const turn = async (turnId: string): Promise<void> => {
      const { signal } = current
      const askApproval: TurnInput['askApproval'] = (call, reason) => approvals.ask(call, reason, turnId, signal)
      await runTurn({ maintenance, turnId, signal, askApproval })
      if (isParked(signal)) return
      await afterReply(maintenance, turnId, signal)
      session.events.emit(turnId, { type: 'done' })
    }
    try {
      await settleCrash(session, input.abandoned)
      if (owesAnswer(session.log.state())) await turn(lastUserMessageId(session))
      while (!stopping.signal.aborted) {
        const [item] = await look()
        isBusy = item !== undefined
        if (item === undefined) {
          if (!(await waitForMore(maintenance, wakeUp, stopping.signal))) break
          continue
        }
        current = new AbortController()
        if (item.kind === 'message') {
          await session.log.append([readUserMessage(item)], { settles: [item.id] })
          await turn(item.id)
        } else {
          await handleRequest(maintenance, item, current.signal)
        }
      }
    } finally {
      unwatch()
      await maintenance.close()
      await session.events.drain()
    }
  }

  async function workToTheEnd(): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      agent.log({ level: 'error', event: 'session-failed', message: describe(error), sessionId: record.id })
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
      wakeUp.wake()
      await ended
    },
  }
}

/** False: nobody has written for so long that the session is given back. */
async function waitForMore(maintenance: Maintenance, wakeUp: WakeUp, signal: AbortSignal): Promise<boolean> {
  const { heartbeat, session } = maintenance
  const idleMs = session.agent.idleMs ?? DEFAULT_IDLE_MS
  const dueInMs = heartbeat.dueInMs()
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

/** What waits in order; cancels and approvals among it are dealt with at once. */
async function takeWaiting(
  session: ActiveSession,
  answer: (callId: string, allow: boolean) => boolean,
  cancel: () => void,
): Promise<readonly InboxItem[]> {
  const { inbox } = session.agent.store
  const waiting = await inbox.list(session.id)
  const atOnce = waiting.filter(({ kind }) => kind === 'cancel' || kind === 'approval')
  for (const { kind, payload } of atOnce) {
    if (kind === 'cancel') cancel()
    else answer(String(payload['callId']), payload['allow'] === true)
  }
  if (atOnce.length > 0) {
    await inbox.settle(
      session.id,
      atOnce.map(({ id }) => id),
    )
  }
  return waiting.filter((item) => !atOnce.includes(item))
}

function lastUserMessageId(session: ActiveSession): string {
  const { window } = session.log.state()
  const items = window.backing.slice(window.start, window.end)
  return items.findLast(({ message }) => message.role === 'user')?.entry.id ?? session.id
}

function logProblem(session: ActiveSession, error: unknown): void {
  session.agent.log({ level: 'error', event: 'session-problem', message: describe(error) })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
