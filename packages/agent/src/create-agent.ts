import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@longhaul/engine/advanced'
import type { InboxKind, NewSession, SessionRecord, Store } from '@longhaul/store/port'
import { AgentError, describeError } from './agent-error.ts'
import { formatDay } from './memory/format-day.ts'
import type { AgentEventBody, RequestOutcome } from './port/agent-event.ts'
import type { AgentOptions } from './port/agent-options.ts'
import { findWishForHost } from './session/left-to-host.ts'
import type { LeftToHost } from './session/left-to-host.ts'
import type { ResolvedOptions } from './session/active-session.ts'
import { refuseKept } from './session/origin-of.ts'
import { createEnvironmentCache } from './session/environment-cache.ts'
import { findQueuePosition } from './session/find-queue-position.ts'
import { findWindowWarning } from './session/find-window-warning.ts'
import { inheritSettings, planSession, planWished } from './session/plan-session.ts'
import type { NewSessionInput } from './session/plan-session.ts'
import { createSessionView } from './session/session-view.ts'
import type { SessionView } from './session/session-view.ts'
import { createStoreCheck } from './session/store-check.ts'
import type { StoreCheck } from './session/store-check.ts'
import { waitForOutcome } from './session/wait-for-outcome.ts'
import { createWorkers } from './owner/workers.ts'

export interface NewMessage {
  /** Made by the client: the same id and text again is the same message. */
  readonly id?: string
  readonly text: string
  readonly attachments?: readonly JsonObject[]
}

export interface Accepted {
  readonly id: string
  readonly status: 'new' | 'waiting' | 'settled'
  /** Of the last event before it: what follows is about it. */
  readonly afterEvent: number
}

export interface RequestOptions {
  /** Made by the client: the same id again is the same request, and gets the same outcome. */
  readonly id?: string
  /** The id was made for this request alone: nobody can have asked under it before. */
  readonly isFresh?: boolean
  /** Ends the waiting; what was asked goes on. */
  readonly signal?: AbortSignal
}

/** Conversations that go on: the one thing that servers, terminals and programs of your own talk to. */
export interface Agent {
  createSession(input?: NewSessionInput): Promise<SessionRecord>
  /**
   * A fresh session with the settings of another; what must last of that one is saved first. The same `newId` again is
   * the session that was made.
   */
  startAnew(sessionId: string, newId?: string): Promise<SessionRecord>
  /** Durable when it resolves. The answer comes as events. */
  send(sessionId: string, message: NewMessage): Promise<Accepted>
  /**
   * Compact, undo, reset, pin, unpin, settings, model: resolves with what came of it. What is for a host's session to do is
   * stored, and this resolves at once.
   */
  request(
    sessionId: string,
    kind: InboxKind,
    payload: JsonObject,
    options?: RequestOptions,
  ): Promise<RequestOutcome | LeftToHost>
  cancel(sessionId: string): Promise<void>
  approve(sessionId: string, callId: string, allow: boolean): Promise<void>
  /** Goes on with what waits or was left unanswered. */
  resume(sessionId: string): Promise<void>
  /** The session as it is now, for looking at. */
  inspect(sessionId: string): Promise<SessionView>
  /** Why nothing can be stored at the moment; null: turns can be taken. */
  readonly checkStore: StoreCheck
  /** How many sessions this process is at work on. */
  countBusy(): number
  /** What is under way is left for the next owner; what waits stays stored. */
  close(): Promise<void>
}

const DEFAULTS = { maxToolRounds: 50, toolTimeoutMs: 120_000, approvalTimeoutMs: 300_000 } as const

export function createAgent(options: AgentOptions): Agent {
  const agent = resolveOptions(options)
  const { store, now, createId } = agent
  const workers = createWorkers(agent)
  const closing = new AbortController()

  async function get(sessionId: string): Promise<SessionRecord> {
    const record = await store.sessions.get(sessionId)
    if (record === null || record.deletedAt !== null)
      throw new AgentError('not-found', `There is no session ${sessionId}.`)
    return record
  }

  /** The session, unless another program keeps it. */
  async function getOurs(sessionId: string): Promise<SessionRecord> {
    return refuseKept(await get(sessionId))
  }

  async function put(sessionId: string, kind: InboxKind, payload: JsonObject, id = createId()): Promise<Accepted> {
    // It is opened while this is being stored.
    workers.ensure(sessionId)
    const afterEvent = await store.events.getLastId(sessionId)
    const { status } = await store.inbox.put({ sessionId, id, at: now(), kind, payload })
    workers.ensure(sessionId)
    return { id, status, afterEvent }
  }

  return {
    createSession: async (input = {}) => store.sessions.create(planWished(agent, input)),
    async startAnew(sessionId, newId = createId()) {
      const record = await getOurs(sessionId)
      const made = await store.sessions.get(newId)
      if (made !== null) return made
      // Its owner saves memory in its own time; nobody waits for that.
      await put(sessionId, 'flush', {})
      return createOnce(store, planSession(agent, { ...inheritSettings(record), id: newId }))
    },
    async send(sessionId, { id = createId(), text, attachments = [] }) {
      if (text.trim() === '' && attachments.length === 0)
        throw new AgentError('invalid-request', 'The message is empty.')
      const [record, position] = await Promise.all([
        store.sessions.get(sessionId),
        findQueuePosition(agent, sessionId, workers.isBusy(sessionId)),
      ])
      if (record !== null) refuseKept(record)
      const payload: JsonObject = attachments.length === 0 ? { text } : { text, attachments }
      const [accepted, warning] = await Promise.all([
        put(sessionId, 'message', payload, id),
        findWindowWarning(agent, sessionId, (owned) => workers.find(owned)),
      ])
      if (accepted.status !== 'new') return accepted
      await tell(agent, sessionId, describeStored(id, position, warning))
      return accepted
    },
    async request(sessionId, kind, payload, { id: wantedId, isFresh = wantedId === undefined, signal } = {}) {
      const host = await findWishForHost(agent, { sessionId, kind, payload, isFresh })
      if (host !== null && host.waitingId !== null) return { ok: true, leftTo: host.origin, id: host.waitingId }
      const { id, status, afterEvent } = await put(sessionId, kind, payload, wantedId)
      if (host !== null && status !== 'settled') return { ok: true, leftTo: host.origin, id }
      const isOver = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal])
      const pending = { sessionId, id, afterEvent, isRepeated: status === 'settled', signal: isOver }
      return waitForOutcome(store, { ...pending, checkStore: agent.checkStore })
    },
    async cancel(sessionId) {
      await getOurs(sessionId)
      await put(sessionId, 'cancel', {})
    },
    async approve(sessionId, callId, allow) {
      await getOurs(sessionId)
      await put(sessionId, 'approval', { callId, allow })
    },
    async resume(sessionId) {
      await get(sessionId)
      workers.ensure(sessionId)
    },
    async inspect(sessionId) {
      return createSessionView(agent, await get(sessionId), workers.find(sessionId))
    },
    checkStore: agent.checkStore,
    countBusy: () => workers.countBusy(),
    async close() {
      await workers.close()
      closing.abort()
    },
  }
}

function resolveOptions(options: AgentOptions): ResolvedOptions {
  return {
    ...DEFAULTS,
    now: Date.now,
    today: () => formatDay(options.now?.() ?? Date.now()),
    createId: randomUUID,
    log: () => undefined,
    findWider: () => [],
    ...options,
    environments: createEnvironmentCache(),
    checkStore: createStoreCheck({ store: options.store, log: options.log ?? (() => undefined) }),
  }
}

/** The message is stored, and that is what was asked for: events that find no room stop nothing. */
async function tell(
  { store, now, log }: ResolvedOptions,
  sessionId: string,
  events: readonly JsonObject[],
): Promise<void> {
  await store.events.add(sessionId, now(), events).catch((error: unknown) => {
    log({ level: 'warn', event: 'events-lost', message: describeError(error), sessionId })
  })
}

/** The first events of a message's stream: it is durable, it waits, and what its user should know. */
function describeStored(id: string, position: number | null, warning: AgentEventBody | null): JsonObject[] {
  const events: AgentEventBody[] = [{ type: 'message-stored', id }]
  if (position !== null) events.push({ type: 'queued', position })
  if (warning !== null) events.push(warning)
  return events.map((event) => ({ turnId: id, ...event }))
}

/** The same wish at the same moment may have been quicker: then its session is the one. */
async function createOnce({ sessions }: Pick<Store, 'sessions'>, planned: NewSession): Promise<SessionRecord> {
  return sessions.create(planned).catch(async (error: unknown) => {
    const made = await sessions.get(planned.id)
    if (made === null) throw error
    return made
  })
}
