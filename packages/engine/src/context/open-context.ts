import { createStrategies } from '../compaction/strategies.ts'
import type { AskModel } from '../compaction/strategy.ts'
import { EngineError } from '../policy/engine-error.ts'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import type { CompactionPolicy, ContextPolicy } from '../policy/policy.ts'
import { foldBranch, foldEntries } from '../request/fold/fold-log.ts'
import { createState, foldEntry } from '../request/fold/fold.ts'
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
import type { Entry, EntryBody } from '../transcript/entry.ts'
import type { Usage } from '../transcript/message.ts'
import { readEntry } from '../transcript/read-entry.ts'
import { askWithin } from './ask-within.ts'
import { checkOptions, readPolicy } from './context-options.ts'
import type { ContextOptions } from './context-options.ts'
import { describeValue } from './describe-value.ts'
import { createDriver } from './driver.ts'
import type { Driver } from './driver.ts'
import type { Patience } from './patience.ts'
import type { Clock, DriverEvent, StopSignal } from './ports.ts'
import { createQueue } from './queue.ts'
import { createRandomId, createStop, runtimeClock } from './runtime.ts'
import { createWordSearch } from './search-entries.ts'
import type { Search } from './search-entries.ts'

/** A request that is ready to be sent, and the view it was made of. */
export interface PreparedRequest {
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
  append(bodies: readonly EntryBody[]): Promise<readonly Entry[]>
  /** From now on these surround the messages. */
  surround(around: { readonly system?: string | null; readonly tools?: readonly ToolSchema[] }): void
  /** Does what is due, and makes the next request. */
  prepare(signal: StopSignal | undefined): Promise<PreparedRequest>
  /** The reply is complete: what is due begins beside the conversation. */
  afterResponse(): Promise<void>
  /** A user has written: the time that a turn may wait starts anew. */
  beginTurn(): void
  learn(request: PreparedRequest, usage: Pick<Usage, 'input'>): void
  /** The provider refused a request: learns from its numbers and makes room. */
  refused(refusal: Refusal): Promise<boolean>
  listen(listener: (event: DriverEvent) => void): () => void
}

export interface Refusal {
  /** The provider's limit, where it named one. */
  readonly limitTokens?: number
  /** The size of the request by the provider's own count, where it named it. */
  readonly actualTokens?: number
  readonly signal?: StopSignal
}

/** An endpoint that refuses without saying its limit: somewhat less than what it refused is tried. */
const GUESS_SHARE = 0.8

export function openContext(options: ContextOptions, fixed: Partial<CompactionPolicy> = {}): OpenContext {
  checkOptions(options)
  const { onAppend, model = null, createId = createRandomId } = options
  const wanted = readPolicy(options)
  const policy: ContextPolicy = { ...wanted, compaction: { ...wanted.compaction, ...fixed } }
  const clock: Clock = { now: options.now ?? runtimeClock.now, after: options.after ?? runtimeClock.after }
  const inTurn = createQueue()
  const listeners = new Set<(event: DriverEvent) => void>()
  const entries: Entry[] = []
  let state = createState()
  let environment: Environment = { system: options.system ?? null, files: [], tools: options.tools ?? [] }
  let learned = createLearnt()
  let calibration = toCalibration(learned)
  let refusedTokens = Infinity
  let limits = findLimits()
  let patience = freshPatience()
  let sent: PreparedRequest | null = null
  let refusals = 0

  options.entries?.forEach((value, index) => {
    const entry = readEntry(value)
    if (entry !== null) return void entries.push(entry)
    const issue = { path: `entries[${index}]`, expected: 'an entry with seq and id', got: describeValue(value) }
    throw new EngineError('invalid-options', [issue])
  })
  state = foldEntries(entries)

  function findLimits(): Limits | null {
    const stated = options.windowTokens ?? policy.assumedWindowTokens
    const known = [stated ?? Infinity, policy.contextTokens ?? Infinity, refusedTokens]
    const windowTokens = Math.min(...known)
    return resolveLimits(policy, {
      windowTokens: windowTokens === Infinity ? null : windowTokens,
      ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    })
  }

  function freshPatience(): Patience {
    return { leftMs: policy.compaction.timeoutMs }
  }

  const session = (): SessionContext => ({ state, policy, limits, environment, model, calibration })

  function append(bodies: readonly EntryBody[], epoch?: number): Promise<readonly Entry[]> {
    return inTurn(async () => {
      if (epoch !== undefined && epoch !== state.head.epoch) throw new Error('the context has changed meanwhile')
      const written: Entry[] = []
      for (const body of bodies) {
        const entry = { id: createId(), at: clock.now(), ...body, seq: state.head.lastSeq + 1 } as Entry
        await onAppend?.(entry)
        const next = foldEntry(state, entry)
        state = next.missing !== null && entry.type === 'branch' ? foldBranch(next, entry, entries) : next
        entries.push(entry)
        written.push(entry)
      }
      return written
    })
  }

  const ask: AskModel = askWithin(clock, options.ask)
  const driver = createDriver({
    clock,
    createStop,
    session,
    append: (bodies, how) => append(bodies, how?.epoch),
    summarizer: () => ({ ask, ...(model === null ? {} : { modelId: model }) }),
    strategies: createStrategies(options.strategies),
    flush: null,
    maySpend: async () => true,
    tell: (event) => {
      for (const listener of listeners) listener(event)
    },
  })

  function seal(numbers: PlanNumbers): PreparedRequest {
    const view = createView(state, policy)
    const measure = { environment, model, calibration, estimator: policy.estimator }
    const maxTokens = findRequestLimit(policy, limits)
    const sealed = sealRequest({ view, context: measure, maxTokens, maxBytes: null })
    if (!sealed.fits) throw new EngineError('cannot-fit', CANNOT_FIT)
    return { sealed, view, numbers, lesson: measureView(view, measure).lesson, at: clock.now() }
  }

  return {
    driver,
    session,
    entries: () => entries,
    search: options.search ?? createWordSearch(() => entries),
    append: (bodies) => append(bodies),
    surround({ system = environment.system, tools = environment.tools }) {
      if (system === environment.system && tools === environment.tools) return
      environment = { ...environment, system, tools }
    },
    async prepare(signal = createStop().signal) {
      const last = entries.findLast((entry) => entry.type === 'message')
      if (last === undefined) throw new EngineError('nothing-to-send', 'There is no message yet: add one first.')
      const checkPoint = last.role === 'user' ? 'before-turn' : 'before-step'
      const plan = await driver.ready({ checkPoint, signal, patience })
      if (plan.action === 'block') throw new EngineError('cannot-fit', describeCulprit(plan.culprit))
      if (signal.aborted) throw abortReason(signal)
      sent = seal(plan.numbers)
      return sent
    },
    async afterResponse() {
      refusals = 0
      await driver.ready({ checkPoint: 'after-response', signal: createStop().signal, patience })
    },
    beginTurn() {
      patience = freshPatience()
      refusals = 0
    },
    learn({ sealed, lesson }, usage) {
      learned = learnFromBill(learned, { reading: sealed.tokens, lesson, usage })
      calibration = toCalibration(learned)
    },
    async refused({ limitTokens, actualTokens, signal = createStop().signal }) {
      const tokensBefore = sent?.sealed.tokens.tokens ?? 0
      const guess = sent?.sealed.tokens.source === 'reported' || limits === null ? tokensBefore * GUESS_SHARE : Infinity
      refusedTokens = Math.max(1, Math.floor(Math.min(refusedTokens, limitTokens ?? guess)))
      if (actualTokens !== undefined && sent !== null) this.learn(sent, { input: actualTokens })
      limits = findLimits()
      refusals += 1
      return driver.makeRoom({ signal, patience, tokensBefore, refusals: refusals - 1 })
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
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
