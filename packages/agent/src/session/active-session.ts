import {
  createLearnt,
  createStrategies,
  createView,
  measureEnvironment,
  measureView,
  resolveLimits,
  resolveWindow,
  toCalibration,
  learnFromBill,
} from '@longhaul/engine'
import type {
  BillObservation,
  CompactionStrategy,
  ContextPolicy,
  Environment,
  JsonObject,
  Learnt,
  Limits,
  SessionContext,
} from '@longhaul/engine'
import type { LearnedValues, Lease, SessionRecord } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'
import type { AgentOptions, LogLine, SessionSettings } from '../port/agent-options.ts'
import { createEventSink } from './event-sink.ts'
import type { EventSink } from './event-sink.ts'
import { openSessionLog } from './session-log.ts'
import type { SessionLog } from './session-log.ts'

/** A session in the hands of its owner: the transcript, and what surrounds it at the moment. */
export interface ActiveSession {
  readonly id: string
  /** null: only looked at. */
  readonly lease: Lease | null
  readonly agent: ResolvedOptions
  readonly log: SessionLog
  readonly events: EventSink
  readonly strategies: ReadonlyMap<string, CompactionStrategy>
  settings(): SessionSettings
  policy(): ContextPolicy
  model(): string
  /** null while the window is unknown and the policy assumes none. */
  limits(): Limits | null
  /** The session as the engine's plans see it, now. */
  context(): SessionContext
  tools(): readonly Tool[]
  /** Reads system prompt, files and tools anew, and records a change. Only where the prompt cache is cold. */
  refreshEnvironment(): Promise<void>
  /** What endpoints taught about the session's model is loaded when the model changes. */
  loadLearned(): Promise<void>
  learnBill(observation: BillObservation): Promise<void>
  /** The smallest limit that an endpoint has named; null: none. */
  learntWindow(): number | null
  /** A limit that an endpoint named. */
  learnWindow(tokens: number): Promise<void>
}

export type ResolvedOptions = AgentOptions &
  Required<
    Pick<AgentOptions, 'now' | 'today' | 'createId' | 'log' | 'maxToolRounds' | 'toolTimeoutMs' | 'approvalTimeoutMs'>
  >

export async function createActiveSession(
  agent: ResolvedOptions,
  record: SessionRecord,
  lease: Lease | null,
): Promise<ActiveSession> {
  const { store, models, now } = agent
  const { createId } = agent
  const log = await openSessionLog({ store, sessionId: record.id, lease, head: record.head, now, createId })
  const logLine = (line: LogLine): void => agent.log({ sessionId: record.id, ...line })
  const events = createEventSink({ events: store.events, sessionId: record.id, now, log: logLine })
  const header = record.header
  let environment: Environment = { system: null, files: [], tools: [] }
  let tools: readonly Tool[] = []
  let learned: LearnedValues = { calibrations: {}, window: null }

  const settings = memoByState((): SessionSettings => {
    const { settings: own } = log.state().head
    return {
      sessionId: record.id,
      agent: typeof header['agent'] === 'string' ? header['agent'] : null,
      preset: own.preset ?? null,
      policy: own.policy ?? null,
    }
  })
  const policy = memoByState((): ContextPolicy => {
    try {
      return agent.policyFor(settings())
    } catch (error) {
      // Settings that were fine once must not stop a conversation: a preset may be gone, a key renamed.
      logLine({
        level: 'error',
        event: 'settings-ignored',
        message: `The session’s settings are not usable: ${String(error)}`,
      })
      return agent.policyFor({ ...settings(), preset: null, policy: null })
    }
  })

  /** Settings are the same object until one of them changes, so nothing is worked out twice. */
  function memoByState<T>(compute: () => T): () => T {
    let known: { readonly key: object; readonly value: T } | null = null
    return () => {
      const key = log.state().head.settings
      if (known?.key !== key) known = { key, value: compute() }
      return known.value
    }
  }

  const model = (): string => log.state().head.model ?? agent.defaultModelFor(settings())
  const learnt = (): Learnt => learned.calibrations[policy().estimator] ?? createLearnt()

  function limits(): Limits | null {
    const info = models.describe(model())
    const window = resolveWindow({ ...models.windowOf(model()), learnt: learned.window?.tokens ?? null }, policy())
    const { model: summaryModel } = policy().compaction
    const summary = summaryModel === 'session' ? info : models.describe(summaryModel)
    return resolveLimits(policy(), {
      windowTokens: window.tokens,
      maxOutputTokens: info.maxOutput,
      maxInputTokens: info.maxInput,
      summaryWindowTokens: summary.available ? summary.contextWindow : window.tokens,
      summaryMaxOutputTokens: summary.maxOutput,
    })
  }

  const session: ActiveSession = {
    id: record.id,
    lease,
    agent: { ...agent, log: logLine },
    log,
    events,
    strategies: createStrategies(agent.strategies),
    settings,
    policy,
    model,
    limits,
    context: () => ({
      state: log.state(),
      policy: policy(),
      limits: limits(),
      environment,
      model: model(),
      calibration: toCalibration(learnt()),
    }),
    tools: () => tools,
    async refreshEnvironment() {
      const [surroundings, offered] = await Promise.all([
        agent.surroundingsFor(settings(), policy()),
        agent.toolsFor(settings()),
      ])
      const schemas = offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
      const next: Environment = { ...surroundings, tools: schemas }
      const { hash, parts } = measureEnvironment(next, policy().estimator)
      tools = offered
      // The same object again keeps what was measured for it.
      if (measureEnvironment(environment, policy().estimator).hash === hash) return
      environment = next
      if (lease === null || log.state().head.environmentHash === hash) return
      const sizes = Object.fromEntries(parts.map(({ label, chars }) => [label, chars]))
      await log.append([{ type: 'environment', hash, parts: sizes }])
    },
    async loadLearned() {
      learned = await store.learned.get(model())
    },
    async learnBill(observation) {
      const { estimator } = policy()
      const next = learnFromBill(learnt(), observation)
      if (next === learnt()) return
      learned = { ...learned, calibrations: { ...learned.calibrations, [estimator]: next } }
      await store.learned.setCalibration(model(), estimator, next)
    },
    learntWindow: () => learned.window?.tokens ?? null,
    async learnWindow(tokens) {
      const known = learned.window?.tokens ?? Infinity
      if (!Number.isSafeInteger(tokens) || tokens < 1 || tokens >= known) return
      const window = { tokens, at: now() }
      learned = { ...learned, window }
      await store.learned.setWindow(model(), window)
    },
  }
  await session.loadLearned()
  await session.refreshEnvironment()
  return session
}

export interface Gauge {
  readonly tokens: number | null
  readonly percent: number | null
  readonly source: 'reported' | 'estimated' | 'unknown'
}

/** How full the context is, by the one meter. */
export function readGauge(session: ActiveSession): Gauge {
  const context = session.context()
  const view = createView(context.state, context.policy)
  const { reading } = measureView(view, { ...context, estimator: context.policy.estimator })
  const { tokens, source } = reading
  const window = context.limits?.windowTokens ?? null
  return { tokens, source, percent: tokens === null || window === null ? null : (tokens / window) * 100 }
}

/** Said before work starts that must not vanish without a trace, and taken back when it is over. */
export async function noteWork({ agent, lease }: ActiveSession, work: JsonObject | null): Promise<void> {
  if (lease !== null) await agent.store.leases.setWork(lease, work)
}
