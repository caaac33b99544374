import { createStrategies } from '../compaction/strategies.ts'
import { EngineError } from '../policy/engine-error.ts'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import type { CompactionPolicy, ContextPolicy } from '../policy/policy.ts'
import type { Culprit } from '../request/plan/find-culprit.ts'
import type { PlanNumbers } from '../request/plan/planned-step.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import { findRequestLimit } from '../request/seal/request-limit.ts'
import { sealRequest } from '../request/seal/seal.ts'
import type { SealedRequest } from '../request/seal/sealed-request.ts'
import type { Environment, ToolSchema } from '../request/view/environment.ts'
import { measureView } from '../request/view/measure-view.ts'
import { createView } from '../request/view/view.ts'
import type { View } from '../request/view/view.ts'
import { createLearnt, learnFromBill, toCalibration } from '../tokens/calibrate.ts'
import type { Lesson } from '../tokens/calibrate.ts'
import type { Entry } from '../transcript/entry.ts'
import type { Usage } from '../transcript/message.ts'
import { askWithin } from './ask-within.ts'
import { createBringBack, readMemory } from './bring-back.ts'
import type { BringBack } from './bring-back.ts'
import { checkOptions, readPolicy } from './context-options.ts'
import type { ContextOptions } from './context-options.ts'
import { createDriver } from './driver.ts'
import type { Driver } from './driver.ts'
import type { Keeper } from './keeper.ts'
import { createMemoryLog } from './memory-log.ts'
import type { DatedBody } from './memory-log.ts'
import type { Patience } from './patience.ts'
import type { Clock, DriverEvent, StopSignal } from './ports.ts'
import { createRandomId, createStop, pause, runtimeClock } from './runtime.ts'
import type { PlatformSignal } from './runtime.ts'
import { createWordSearch } from './search-entries.ts'
import type { Search } from './search-entries.ts'
import { tellListeners } from './tell-listeners.ts'

/** A request that is ready to be sent, and the view it was made of. */
export interface PreparedRequest {
  /**
   * Made when it is first asked for: a host with a mirror sends messages of its own, and does not wait for it. Whoever sends
   * it calls `refuseUnfit` before.
   */
  readonly sealed: SealedRequest
  readonly view: View
  readonly numbers: PlanNumbers
  /** What a bill for this request teaches the meter by. */
  readonly lesson: Lesson
  readonly at: number
}

/** A conversation in memory with its driver: what `createContext` and `createMirror` have in common. */
export interface OpenContext {
  readonly driver: Driver
  readonly session: () => SessionContext
  readonly entries: () => readonly Entry[]
  readonly search: Search
  /** Resolves once the entries are in the caller's log and folded. */
  readonly append: (bodies: readonly DatedBody[]) => Promise<readonly Entry[]>
  /** From now on these surround the messages. */
  readonly surround: (around: Surroundings) => void
  /** Does what is due, and makes the next request. */
  readonly prepare: (signal: StopSignal | undefined) => Promise<PreparedRequest>
  /** The reply is complete: what is due begins beside the conversation. */
  readonly afterResponse: () => Promise<void>
  /** A user has written: the time that a turn may wait starts anew. */
  readonly beginTurn: () => void
  readonly learn: (request: PreparedRequest, usage: Pick<Usage, 'input'>) => void
  /** The provider refused a request: learns from its numbers and makes room. */
  readonly refused: (refusal: Refusal) => Promise<boolean>
  readonly listen: (listener: (event: DriverEvent) => void) => () => void
}

interface Surroundings {
  readonly system?: string | null | undefined
  readonly tools?: readonly ToolSchema[] | undefined
  /** An estimate of what a caller puts behind the messages by itself before it sends them. */
  readonly appendedTokens?: number
}

/** A provider's refusal of a request as too long. */
export interface Refusal {
  /** The provider's limit, where it named one. */
  readonly limitTokens?: number
  /** The size of the request by the provider's own count, where it named it. */
  readonly actualTokens?: number
  readonly signal?: PlatformSignal | undefined
}

/** An endpoint that refuses without saying its limit: somewhat less than what it refused is tried. */
const GUESS_SHARE = 0.8
/** What is appended may be larger than the window; then the messages are still worth this share of it. */
const LEAST_ROOM_SHARE = 0.25

interface OwnerParts {
  /** Keys of the policy that the owner decides. */
  readonly compaction?: Partial<CompactionPolicy>
  readonly keeper?: Keeper | undefined
  /** Old lines that a request is about are put at its end. Off for hosts, which keep the list of messages themselves. */
  readonly bringsBack?: boolean
}

export function openContext(
  options: ContextOptions,
  { compaction = {}, keeper, bringsBack = false }: OwnerParts = {},
): OpenContext {
  checkOptions(options)
  const { model = null, createId = createRandomId } = options
  const wanted = readPolicy(options)
  const policy: ContextPolicy = { ...wanted, compaction: { ...wanted.compaction, ...compaction } }
  const clock: Clock = { now: options.now ?? runtimeClock.now, after: options.after ?? runtimeClock.after }
  const log = createMemoryLog({ ...options, now: clock.now, createId, keep: keeper?.append })
  const listeners = new Set<(event: DriverEvent) => void>()
  const lessons = createLessons(options, policy, keeper)
  const bringBack: BringBack = bringsBack
    ? createBringBack(readMemory(log.entries), pause)
    : async (prepared) => prepared
  let environment: Environment = { system: options.system ?? null, files: [], tools: options.tools ?? [] }
  let patience: Patience = { leftMs: policy.compaction.timeoutMs }
  let sent: PreparedRequest | null = null
  let refusals = 0

  const session = (): SessionContext => ({ state: log.state(), policy, environment, model, ...lessons.now() })
  const ask = askWithin(clock, options.ask)
  const driver = createDriver({
    clock,
    createStop,
    pause,
    session,
    append: (bodies, how) => log.append(bodies, how?.epoch),
    summarizer: () => ({ ask, ...(model === null ? {} : { modelId: model }) }),
    strategies: createStrategies(options.strategies),
    flush: null,
    maySpend: async () => true,
    tell: (event) => tellListeners(listeners, event),
  })

  return {
    driver,
    session,
    entries: () => log.entries,
    search: options.search ?? createWordSearch(() => log.entries),
    append: (bodies) => log.append(bodies),
    surround({ system = environment.system, tools = environment.tools, appendedTokens = 0 }) {
      lessons.setAppended(appendedTokens)
      if (system === environment.system && tools === environment.tools) return
      environment = { ...environment, system, tools }
    },
    async prepare(signal = createStop().signal) {
      const last = log.entries.findLast((entry) => entry.type === 'message')
      if (last === undefined) throw new EngineError('nothing-to-send', 'There is no message yet: add one first.')
      const checkPoint = last.role === 'user' ? 'before-turn' : 'before-step'
      const plan = await driver.ready({ checkPoint, signal, patience })
      if (plan.action === 'block') throw new EngineError('cannot-fit', describeCulprit(plan.culprit))
      if (signal.aborted) throw abortReason(signal)
      sent = await bringBack(prepareRequest(session(), plan.numbers, clock.now()), session())
      return sent
    },
    async afterResponse() {
      refusals = 0
      await driver.ready({ checkPoint: 'after-response', signal: createStop().signal, patience })
    },
    beginTurn() {
      patience = { leftMs: policy.compaction.timeoutMs }
      refusals = 0
    },
    learn: (request, usage) => lessons.addBill(request, usage),
    async refused({ limitTokens, actualTokens, signal = createStop().signal }) {
      const { tokens, source } = sent?.sealed.tokens ?? { tokens: 0, source: 'unknown' }
      const isTelling = source === 'reported' || session().limits === null
      lessons.addWindow(limitTokens ?? (isTelling ? guessWindow(tokens ?? 0, log.entries, session().model) : Infinity))
      if (actualTokens !== undefined && sent !== null) lessons.addBill(sent, { input: actualTokens })
      refusals += 1
      return driver.makeRoom({ signal, patience, tokensBefore: tokens ?? 0, refusals: refusals - 1 })
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The window of a model that refused a request of this size: no smaller than a request that it took before. */
function guessWindow(refusedTokens: number, entries: readonly Entry[], model: string | null): number {
  return entries.reduce((largest, entry) => {
    if (entry.type !== 'message' || (entry.model ?? null) !== model) return largest
    const taken = entry.usage?.input ?? 0
    return taken < refusedTokens ? Math.max(largest, taken) : largest
  }, refusedTokens * GUESS_SHARE)
}

/** The state of learning: from bills, how estimates are scaled; from refusals, how large the window is. */
function createLessons(options: ContextOptions, policy: ContextPolicy, keeper: Keeper | undefined) {
  const { lessons: earlier, onLesson } = keeper ?? {}
  const calibrations = earlier?.calibrations ?? {}
  let learned = calibrations[policy.estimator] ?? createLearnt()
  let calibration = toCalibration(learned)
  let refusedTokens = earlier?.windowTokens ?? Infinity
  let appendedTokens = 0
  let limits = findLimits()

  function findLimits(): Limits | null {
    const stated = options.windowTokens ?? policy.assumedWindowTokens ?? Infinity
    const windowTokens = Math.min(stated, policy.contextTokens ?? Infinity, refusedTokens)
    const input = {
      windowTokens: windowTokens === Infinity ? null : windowTokens,
      ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    }
    const usual = resolveLimits(policy, input)
    if (usual === null || appendedTokens === 0) return usual
    const room = usual.wallTokens - Math.ceil(appendedTokens * calibration.ratio)
    return resolveLimits(policy, {
      ...input,
      maxInputTokens: Math.floor(Math.max(room, usual.inputTokens * LEAST_ROOM_SHARE)),
    })
  }

  function tell(): void {
    const windowTokens = refusedTokens === Infinity ? null : refusedTokens
    onLesson?.({ calibrations: { ...calibrations, [policy.estimator]: learned }, windowTokens })
  }

  return {
    now: () => ({ calibration, limits }),
    addBill({ sealed, lesson }: PreparedRequest, usage: Pick<Usage, 'input'>): void {
      const next = learnFromBill(learned, { reading: sealed.tokens, lesson, usage })
      if (next === learned) return
      learned = next
      calibration = toCalibration(learned)
      tell()
    },
    setAppended(tokens: number): void {
      if (tokens === appendedTokens) return
      appendedTokens = tokens
      limits = findLimits()
    },
    addWindow(tokens: number): void {
      const smallest = Math.max(1, Math.floor(Math.min(refusedTokens, tokens)))
      if (smallest === refusedTokens) return
      refusedTokens = smallest
      limits = findLimits()
      tell()
    },
  }
}

function prepareRequest(session: SessionContext, numbers: PlanNumbers, at: number): PreparedRequest {
  const { state, policy, limits } = session
  const view = createView(state, policy)
  const context = { ...session, estimator: policy.estimator }
  const maxTokens = findRequestLimit(policy, limits?.inputTokens ?? null)
  let sealed: SealedRequest | null = null
  return {
    view,
    numbers,
    lesson: measureView(view, context).lesson,
    at,
    get sealed() {
      return (sealed ??= sealRequest({ view, context, maxTokens, maxBytes: null }))
    },
  }
}

/** Throws where nothing that could be left out makes the request fit. */
export function refuseUnfit({ fits }: SealedRequest): void {
  if (!fits) throw new EngineError('cannot-fit', CANNOT_FIT)
}

const CANNOT_FIT =
  'System text, tools and the newest message are larger than the window. Shorten the message, or use a model with a larger window.'

/** Says which part is too large, and by how much. */
export function describeCulprit({ label, tokens, neededTokens, inputTokens }: Culprit): string {
  return `This can never fit: ${label} alone is about ${tokens} tokens; with what cannot be left out it comes to ${neededTokens}, and there is room for ${inputTokens}. Make it shorter, or choose a model with a larger window.`
}

function abortReason(signal: StopSignal): unknown {
  return 'reason' in signal && signal.reason !== undefined ? signal.reason : new Error('It was cancelled.')
}
