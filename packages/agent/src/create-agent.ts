import { randomUUID } from 'node:crypto'
import { guardWindow, isRecord, resolveWindow } from '@longhaul/engine'
import type { Entry, JsonObject } from '@longhaul/engine'
import type { InboxKind, SessionRecord, StoredEvent } from '@longhaul/store/port'
import { AgentError } from './agent-error.ts'
import type { AgentEventBody, RequestOutcome } from './port/agent-event.ts'
import type { AgentOptions } from './port/agent-options.ts'
import { createActiveSession } from './session/active-session.ts'
import type { ActiveSession, ResolvedOptions } from './session/active-session.ts'
import type { EntryDraft } from './session/session-log.ts'
import { createWorkers } from './session/workers.ts'

export interface NewSessionInput {
  readonly id?: string
  readonly title?: string
  readonly model?: string
  readonly preset?: string
  readonly agent?: string
  readonly policy?: JsonObject
}

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

/** Conversations that go on: the one thing that servers, terminals and programs of your own talk to. */
export interface Agent {
  createSession(input?: NewSessionInput): Promise<SessionRecord>
  /** A fresh session with the settings of another; what must last of that one is saved first. */
  startAnew(sessionId: string): Promise<SessionRecord>
  /** Durable when it resolves. The answer comes as events. */
  send(sessionId: string, message: NewMessage): Promise<Accepted>
  /** Compact, undo, reset, pin, unpin, settings, model: resolves with what came of it. */
  request(sessionId: string, kind: InboxKind, payload: JsonObject, signal?: AbortSignal): Promise<RequestOutcome>
  cancel(sessionId: string): Promise<void>
  approve(sessionId: string, callId: string, allow: boolean): Promise<void>
  /** Goes on with what waits or was left unanswered. */
  resume(sessionId: string): Promise<void>
  /** The session as it is now, for looking at; nothing can be written through it. */
  inspect(sessionId: string): Promise<ActiveSession>
  close(): Promise<void>
}

const DEFAULTS = { maxToolRounds: 50, toolTimeoutMs: 120_000, approvalTimeoutMs: 300_000 } as const

export function createAgent(options: AgentOptions): Agent {
  const agent: ResolvedOptions = {
    ...DEFAULTS,
    now: Date.now,
    today: () => new Intl.DateTimeFormat('en-CA').format(options.now?.() ?? Date.now()),
    createId: randomUUID,
    log: () => undefined,
    ...options,
  }
  const { store, now, createId } = agent
  const workers = createWorkers(agent)

  async function get(sessionId: string): Promise<SessionRecord> {
    const record = await store.sessions.get(sessionId)
    if (record === null || record.deletedAt !== null)
      throw new AgentError('not-found', `There is no session ${sessionId}.`)
    return record
  }

  async function put(sessionId: string, kind: InboxKind, payload: JsonObject, id = createId()): Promise<Accepted> {
    const afterEvent = await store.events.getLastId(sessionId)
    const { status } = await store.inbox.put({ sessionId, id, at: now(), kind, payload })
    workers.ensure(sessionId)
    return { id, status, afterEvent }
  }

  return {
    createSession: async (input = {}) => store.sessions.create(planSession(agent, input)),
    async startAnew(sessionId) {
      const { header, head } = await get(sessionId)
      // Its owner saves memory in its own time; nobody waits for that.
      await put(sessionId, 'flush', {})
      const { preset, policy } = head.settings
      return store.sessions.create(
        planSession(agent, {
          ...(head.model === null ? {} : { model: head.model }),
          ...(preset === undefined ? {} : { preset }),
          ...(policy === undefined ? {} : { policy }),
          ...(typeof header['agent'] === 'string' ? { agent: header['agent'] } : {}),
        }),
      )
    },
    async send(sessionId, { id = createId(), text, attachments = [] }) {
      if (text.trim() === '' && attachments.length === 0)
        throw new AgentError('invalid-request', 'The message is empty.')
      const isBehind = (await store.inbox.list(sessionId)).filter(({ kind }) => kind === 'message').length
      const payload: JsonObject = attachments.length === 0 ? { text } : { text, attachments }
      const accepted = await put(sessionId, 'message', payload, id)
      if (accepted.status === 'new') {
        const events: AgentEventBody[] = [{ type: 'message-stored', id }]
        if (isBehind > 0 || workers.isBusy(sessionId)) events.push({ type: 'queued', position: isBehind + 1 })
        await store.events.add(
          sessionId,
          now(),
          events.map((event) => ({ turnId: id, ...event }) as JsonObject),
        )
      }
      return accepted
    },
    async request(sessionId, kind, payload, signal = new AbortController().signal) {
      const { id, afterEvent } = await put(sessionId, kind, payload)
      return waitForOutcome(agent, { sessionId, id, afterEvent, signal })
    },
    async cancel(sessionId) {
      await get(sessionId)
      await put(sessionId, 'cancel', {})
    },
    async approve(sessionId, callId, allow) {
      await get(sessionId)
      await put(sessionId, 'approval', { callId, allow })
    },
    async resume(sessionId) {
      await get(sessionId)
      workers.ensure(sessionId)
    },
    async inspect(sessionId) {
      return createActiveSession(agent, await get(sessionId), null)
    },
    close: () => workers.close(),
  }
}

/** Refused where the preset needs a larger window than the model has: only here, never for a session that exists. */
function planSession(
  agent: ResolvedOptions,
  input: NewSessionInput,
): Parameters<AgentOptions['store']['sessions']['create']>[0] {
  const { models, now, createId } = agent
  const id = input.id ?? createId()
  const settings = {
    sessionId: id,
    agent: input.agent ?? null,
    preset: input.preset ?? null,
    policy: input.policy ?? null,
  }
  const policy = agent.policyFor(settings)
  const model = input.model ?? agent.defaultModelFor(settings)
  const guard = guardWindow(resolveWindow(models.windowOf(model), policy), policy)
  if (guard.verdict === 'refuse') throw new AgentError('window-too-small', guard.message ?? 'The window is too small.')
  if (guard.verdict === 'warn')
    agent.log({ level: 'warn', event: 'small-window', message: guard.message ?? '', sessionId: id })
  const { title, preset } = input
  const drafts: EntryDraft[] = [
    { type: 'model-change', model },
    {
      type: 'settings',
      ...(title === undefined ? {} : { title }),
      ...(preset === undefined ? {} : { preset }),
      ...(input.policy === undefined ? {} : { policy: input.policy }),
    },
  ]
  return {
    id,
    createdAt: now(),
    header: input.agent === undefined ? {} : { agent: input.agent },
    entries: drafts.map((draft, index) => ({ id: createId(), ...draft, seq: index + 1, at: now() }) as Entry),
  }
}

interface Pending {
  readonly sessionId: string
  readonly id: string
  readonly afterEvent: number
  readonly signal: AbortSignal
}

/** The owner may be another process: what it did is read from the events. */
async function waitForOutcome(
  agent: ResolvedOptions,
  { sessionId, id, afterEvent, signal }: Pending,
): Promise<RequestOutcome> {
  const { store } = agent
  let after = afterEvent
  let ring: () => void = () => undefined
  const unwatch = store.watch((change) => {
    if (change.sessionId === null || change.sessionId === sessionId) ring()
  })
  try {
    for (;;) {
      const rung = new Promise<void>((resolve) => (ring = resolve))
      const events = await store.events.read(sessionId, after, 500)
      const outcome = events.flatMap((event) => readOutcome(event, id)).at(0)
      if (outcome !== undefined) return outcome
      after = events.at(-1)?.id ?? after
      if (signal.aborted) throw new AgentError('busy', 'Nobody waits for the outcome any more; it goes on.')
      await Promise.race([
        rung,
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      ])
    }
  } finally {
    unwatch()
  }
}

function readOutcome({ event }: StoredEvent, id: string): readonly RequestOutcome[] {
  const { outcome } = event
  return event['type'] === 'request-settled' && event['id'] === id && isRecord(outcome)
    ? [outcome as unknown as RequestOutcome]
    : []
}
