import { EngineError } from '../policy/engine-error.ts'
import { planPin } from '../request/plan/plan-pin.ts'
import { planUndo } from '../request/plan/plan-undo.ts'
import type { UndoPlan } from '../request/plan/plan-undo.ts'
import type { Limits } from '../policy/limits.ts'
import type { Entry } from '../transcript/entry.ts'
import { checkKind, checkKinds } from './check-arguments.ts'
import type { OpenContext, Refusal } from './open-context.ts'
import type { CompactionResult, DriverEvent, StopSignal } from './ports.ts'
import { readGauge } from './read-gauge.ts'
import type { Gauge } from './read-gauge.ts'
import type { PlatformSignal } from './runtime.ts'
import type { RecallHit } from './search-entries.ts'

export type ContextEventType = Exclude<DriverEvent['type'], 'flush-started'>
export type ContextEvent<T extends ContextEventType = ContextEventType> = Extract<DriverEvent, { type: T }>

/** The parts of a context and a mirror that are the same. */
export interface Controls {
  /** Tells that the provider refused the last request as too long. True: room was made, so ask for the next request. */
  refused(refusal?: Refusal): Promise<boolean>
  /** Compacts now. */
  compact(options?: {
    readonly instructions?: string
    readonly signal?: PlatformSignal | undefined
  }): Promise<CompactionResult>
  /** Takes the last compaction back. */
  undo(): Promise<{ readonly undone: readonly string[] }>
  /** Keeps a text in every request, word for word. Returns its id. */
  pin(text: string): Promise<string>
  unpin(id: string): Promise<void>
  /** Starts over; pins stay, and the log keeps everything. */
  reset(): Promise<void>
  /** Finds messages that have left the context. A model can be given this as a tool. */
  recall(query: string, options?: { readonly limit?: number }): Promise<readonly RecallHit[]>
  /** The whole log, oldest first. */
  entries(): readonly Entry[]
  measure(): Gauge
  /**
   * Calls back when something happened to the context. The function it returns ends that. A listener that throws disturbs
   * nothing; listeners of `problem` are told.
   */
  on<T extends ContextEventType>(type: T, listener: (event: ContextEvent<T>) => void): () => void
  /** Resolves when nothing runs beside the conversation any more. */
  settled(): Promise<void>
  /** Ends what runs beside the conversation, and starts nothing any more. A summary that is ready is used. */
  stop(): Promise<void>
}

export function createControls(open: OpenContext): Controls {
  const { driver, session } = open
  return {
    async refused(refusal = {}) {
      checkKinds(refusal, REFUSAL)
      return open.refused(refusal)
    },
    async compact(wish = {}) {
      checkKinds(wish, { instructions: 'a string', signal: 'an AbortSignal' })
      const { instructions, signal } = wish
      const result = await driver.compact({ instructions, signal: signal ?? NEVER })
      if ('nothing' in result) throw new EngineError('nothing-to-compact', NOTHING_TO_COMPACT[result.nothing])
      return result
    },
    async undo() {
      const plan = planUndo(session())
      if (plan.action === 'refuse') throw new EngineError(plan.reason, describeUndoRefusal(plan, session().limits))
      if (plan.action === 'load') throw new EngineError('nothing-to-undo', UNDO['nothing-to-undo'])
      await open.append(plan.undone.map((compaction) => ({ type: 'compaction-undone', compaction }) as const))
      return { undone: plan.undone }
    },
    async pin(text) {
      if (typeof text !== 'string' || text.trim() === '')
        throw new EngineError('invalid-message', 'There is nothing to pin: expected a text.')
      const { fits, neededTokens, pinTokens } = planPin(session(), text.trim())
      if (!fits)
        throw new EngineError(
          'pin-too-large',
          `All pins together may take ${pinTokens} tokens; with this one they would take about ${neededTokens}.`,
        )
      const [entry] = await open.append([{ type: 'pin', text: text.trim() }])
      return (entry as Entry).id
    },
    async unpin(id) {
      if (!session().state.head.pins.some((pin) => pin.id === id))
        throw new EngineError('not-found', `There is no pin with the id ${id}.`)
      await open.append([{ type: 'unpin', pin: id }])
    },
    async reset() {
      await open.append([{ type: 'reset' }])
    },
    async recall(query, wish = {}) {
      checkKind('query', query, 'a string')
      checkKinds(wish, { limit: 'a positive number' })
      const { limit = DEFAULT_HITS } = wish
      return open.search(query, { beforeSeq: session().state.head.base.fromSeq, limit })
    },
    entries: () => [...open.entries()],
    measure: () => readGauge(session()),
    on(type, listener) {
      if (!EVENT_TYPES.includes(type))
        throw new EngineError('invalid-options', [{ path: 'event', expected: EVENT_TYPES.join(', '), got: type }])
      checkKind('listener', listener, 'a function')
      return open.listen((event) => {
        if (event.type === type) listener(event as Parameters<typeof listener>[0])
      })
    },
    settled: () => driver.settled(),
    stop: () => driver.stop(),
  }
}

const DEFAULT_HITS = 5
const TOKENS = 'a positive number of tokens'
const REFUSAL = { limitTokens: TOKENS, actualTokens: TOKENS, signal: 'an AbortSignal' } as const
const EVENT_TYPES: readonly string[] = [
  'pruned',
  'trimmed',
  'compact-started',
  'summary-made',
  'compact-completed',
  'summary-discarded',
  'problem',
] satisfies readonly ContextEventType[]

const NEVER: StopSignal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined }

/** Why there is nothing to compact, in words for a user. */
export const NOTHING_TO_COMPACT = {
  'window-unknown': 'The window is unknown, so there is no measure for a compaction: set windowTokens.',
  'no-messages': 'There are no messages yet.',
  'too-few-messages': 'There are too few messages to summarize.',
  'all-protected': 'Everything there is belongs to the part that is always kept.',
  'too-little-to-gain': 'What could be summarized is too short for that to pay.',
} as const

/** Why a compaction cannot be taken back, in words for a user. */
export function describeUndoRefusal(
  { reason, tokensAfter }: Extract<UndoPlan, { action: 'refuse' }>,
  limits: Limits | null,
): string {
  const numbers =
    tokensAfter === null || limits === null
      ? ''
      : ` They come to ${tokensAfter} tokens, and there is room for ${limits.inputTokens}.`
  return UNDO[reason] + (reason === 'undo-would-not-fit' ? numbers : '')
}

const UNDO = {
  'nothing-to-undo': 'Nothing has been compacted since the start or the last reset.',
  'undo-would-not-fit': 'The messages that it would bring back do not fit the window.',
} as const
