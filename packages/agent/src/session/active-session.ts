import { setImmediate } from 'node:timers/promises'
import {
  createBringBack,
  createRequestJournal,
  createStrategies,
  limitBootstrapFile,
  measureEnvironment,
  resolveLimits,
  resolveWindow,
} from '@longhaul/engine/advanced'
import type {
  BootstrapFile,
  BringBack,
  CompactionStrategy,
  ContextPolicy,
  EntryRef,
  Environment,
  Head,
  LeftOutTools,
  Limits,
  RequestJournal,
  SessionContext,
} from '@longhaul/engine/advanced'
import type { Lease, SessionRecord } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'
import { describeError } from '../agent-error.ts'
import type { AgentOptions, LogLine, SessionSettings } from '../port/agent-options.ts'
import type { EnvironmentCache } from './environment-cache.ts'
import { createEventSink } from './event-sink.ts'
import type { EventSink } from './event-sink.ts'
import { findOwed } from './find-owed.ts'
import { createLearning } from './learning.ts'
import type { Learning } from './learning.ts'
import { createRefusals } from './refusals.ts'
import type { Refusals } from './refusals.ts'
import type { StoreCheck } from './store-check.ts'
import { openSessionLog } from './session-log.ts'
import type { SessionLog } from './session-log.ts'
import { createWorkNote } from './work-note.ts'
import type { WorkNote } from './work-note.ts'
import { createSessionTools } from './session-tools.ts'

/** A session in the hands of its owner: the transcript, and what surrounds it at the moment. */
export interface ActiveSession {
  readonly id: string
  /** null: only looked at. */
  readonly lease: Lease | null
  readonly agent: ResolvedOptions
  readonly log: SessionLog
  readonly events: EventSink
  readonly strategies: ReadonlyMap<string, CompactionStrategy>
  readonly learning: Learning
  readonly journal: RequestJournal
  readonly settings: () => SessionSettings
  readonly policy: () => ContextPolicy
  readonly model: () => string
  /** The user's message that waits for its answer; null: nothing does. */
  readonly owed: () => EntryRef | null
  /** null while the window is unknown and the policy assumes none. */
  limits(): Limits | null
  /** The session as the engine's plans see it, now. */
  readonly context: () => SessionContext
  tools(): readonly Tool[]
  /** Reads the tools anew and leaves the request as it is: a server may have started again with other definitions. */
  readonly refreshTools: () => Promise<void>
  readonly leftOutTools: () => readonly LeftOutTools[]
  /** Tools that are left out since the surroundings last changed, for whoever tells the user. Each is given once. */
  readonly takeUntold: () => readonly LeftOutTools[]
  /**
   * Reads system prompt, files and tools anew and records a change, unless that would break a prompt cache that is warm.
   * What cannot be read now stays as it was.
   */
  readonly refreshEnvironment: () => Promise<void>
  /** Puts lines of earlier messages that a request is clearly about at its end. */
  readonly bringBack: BringBack
  readonly refusals: Refusals
  /** Kept with the lease, so that the owner after this one knows what it was at. */
  readonly work: WorkNote
}

export type ResolvedOptions = AgentOptions &
  Required<
    Pick<
      AgentOptions,
      'findWider' | 'now' | 'today' | 'createId' | 'log' | 'maxToolRounds' | 'toolTimeoutMs' | 'approvalTimeoutMs'
    >
  > & { readonly environments: EnvironmentCache; readonly checkStore: StoreCheck }

export async function createActiveSession(
  options: ResolvedOptions,
  record: SessionRecord,
  lease: Lease | null,
): Promise<ActiveSession> {
  const { store, now, createId } = options
  const { id: sessionId, head } = record
  const agent = { ...options, log: (line: LogLine): void => options.log({ sessionId, ...line }) }
  const log = await openSessionLog({ store, sessionId, lease, head, now, createId })
  const settings = memoBySettings(log, () => readSettings(log.state().head, record))
  const policy = memoBySettings(log, () => resolvePolicy(agent, settings()))
  const model = (): string => log.state().head.model ?? agent.defaultModelFor(settings())
  const estimator = () => policy().estimator
  const learning = createLearning({ store: store.learned, model, estimator, now, log: agent.log })
  const limits = () => findLimits(agent, { model: model(), policy: policy(), learning })
  let environment: Environment = { system: null, files: [], tools: [] }
  const tools = createSessionTools({ toolsFor: agent.toolsFor, settings, policy, limits })

  async function readEnvironment(): Promise<void> {
    const kept = agent.environments.get(sessionId)
    if (kept !== null && isWarm(session, kept)) {
      await tools.refresh()
      environment = kept
      return
    }
    const [{ files, ...texts }] = await Promise.all([agent.surroundingsFor(settings(), policy()), tools.refresh()])
    const schemas = tools.list().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    const next: Environment = { ...texts, files: limitFiles(files, limits(), policy()), tools: schemas }
    const { hash, parts } = measureEnvironment(next, estimator())
    // The same object again keeps what was measured for it.
    if (measureEnvironment(environment, estimator()).hash !== hash) environment = next
    agent.environments.put(sessionId, environment)
    if (lease === null || log.state().head.environmentHash === hash) return
    const sizes = Object.fromEntries(parts.map(({ label, chars }) => [label, chars]))
    await log.append([{ type: 'environment', hash, parts: sizes }])
    tools.noteChange()
  }

  /** What cannot be read now stays as it was. */
  async function tryTo(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      const message = `The surroundings stay as they were: ${describeError(error)}`
      agent.log({ level: 'warn', event: 'environment-kept', message })
    }
  }

  const session: ActiveSession = {
    id: sessionId,
    lease,
    agent,
    log,
    events: createEventSink({ events: store.events, sessionId, lease, now, log: agent.log }),
    strategies: createStrategies(agent.strategies),
    learning,
    journal: createRequestJournal({ requests: store.requests, sessionId, onLost: noteLost(agent.log) }),
    settings,
    policy,
    model,
    owed: () => findOwed({ head: log.state().head, header: record.header }),
    limits,
    context: () => ({
      state: log.state(),
      policy: policy(),
      limits: limits(),
      environment,
      model: model(),
      calibration: learning.calibration(),
    }),
    tools: tools.list,
    refreshTools: () => tryTo(tools.refresh),
    leftOutTools: tools.leftOut,
    takeUntold: tools.takeUntold,
    refreshEnvironment: () => tryTo(readEnvironment),
    bringBack: createSessionRecall(store, sessionId),
    refusals: createRefusals(model, () => log.state().head.epoch),
    work: createWorkNote(async (note) => {
      if (lease !== null) await store.leases.setWork(lease, note)
    }),
  }
  await learning.load()
  // Without its system prompt and tools a session must not answer; to be looked at, it needs neither.
  await (lease === null ? session.refreshEnvironment() : readEnvironment())
  return session
}

function createSessionRecall({ entries }: ResolvedOptions['store'], sessionId: string): BringBack {
  return createBringBack(
    {
      readFrom: (from, limit) => entries.read(sessionId, { from, limit }),
      readAt: (seqs) => entries.readAt(sessionId, seqs),
    },
    () => setImmediate(),
  )
}

function noteLost(log: (line: LogLine) => void): (error: unknown) => void {
  return (error) =>
    log({ level: 'warn', event: 'manifest-lost', message: `A request is not explained: ${describeError(error)}` })
}

/** Where nobody knows how long a provider keeps a prompt. */
const DEFAULT_CACHE_TTL_MS = 5 * 60_000

/** The provider was sent these surroundings and has not forgotten them yet: anything else would be paid for anew. */
function isWarm({ agent, log, model, policy }: ActiveSession, environment: Environment): boolean {
  const { lastCall, environmentHash } = log.state().head
  if (lastCall === null || lastCall.model !== model()) return false
  const ttlMs = agent.models.describe(model()).cache?.ttlMs ?? DEFAULT_CACHE_TTL_MS
  const isRecent = agent.now() - lastCall.at <= ttlMs
  return isRecent && measureEnvironment(environment, policy().estimator).hash === environmentHash
}

/** Settings are the same object until one of them changes, so nothing is worked out twice. */
function memoBySettings<T>(log: SessionLog, compute: () => T): () => T {
  let known: { readonly key: object; readonly value: T } | null = null
  return () => {
    const key = log.state().head.settings
    if (known?.key !== key) known = { key, value: compute() }
    return known.value
  }
}

export function readSettings(
  { settings }: Pick<Head, 'settings'>,
  { id, header }: Pick<SessionRecord, 'id' | 'header'>,
): SessionSettings {
  const { preset, policy } = settings
  const { agent } = header
  return {
    sessionId: id,
    agent: typeof agent === 'string' ? agent : null,
    preset: preset ?? null,
    policy: policy ?? null,
  }
}

/** Settings that were fine once must not stop a conversation: a preset may be gone, a key renamed. */
export function resolvePolicy(agent: ResolvedOptions, settings: SessionSettings): ContextPolicy {
  try {
    return agent.policyFor(settings)
  } catch (error) {
    const message = `The session’s settings are not usable and are passed over: ${String(error)}`
    agent.log({ level: 'error', event: 'settings-ignored', message })
    return policyWithoutWords(agent, settings)
  }
}

function policyWithoutWords(agent: ResolvedOptions, settings: SessionSettings): ContextPolicy {
  const rest = { ...settings, preset: null, policy: null }
  try {
    return agent.policyFor(rest)
  } catch {
    // Its agent is gone as well.
    return agent.policyFor({ ...rest, agent: null })
  }
}

function limitFiles(
  files: readonly BootstrapFile[],
  limits: Limits | null,
  policy: ContextPolicy,
): readonly BootstrapFile[] {
  const maxChars = limits?.bootstrapMaxChars ?? policy.bootstrapMaxChars
  return files.map((file) => ({ ...file, text: limitBootstrapFile(file, maxChars).text }))
}

interface LimitsInput {
  readonly model: string
  readonly policy: ContextPolicy
  readonly learning: Learning
}

function findLimits({ models }: ResolvedOptions, { model, policy, learning }: LimitsInput): Limits | null {
  const info = models.describe(model)
  const window = resolveWindow({ ...models.windowOf(model), learnt: learning.windowTokens() }, policy)
  const summary = policy.compaction.model === 'session' ? info : models.describe(policy.compaction.model)
  return resolveLimits(policy, {
    windowTokens: window.tokens,
    maxOutputTokens: info.maxOutput,
    maxInputTokens: info.maxInput,
    summaryWindowTokens: summary.available ? summary.contextWindow : window.tokens,
    summaryMaxOutputTokens: summary.maxOutput,
  })
}

/** For items that no entry answers. */
export async function settleItems({ agent, lease }: ActiveSession, ids: readonly string[]): Promise<void> {
  if (lease !== null) await agent.store.inbox.settle(lease, ids)
}
