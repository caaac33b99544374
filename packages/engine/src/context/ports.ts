import type { CompactionPlan, TrimPlan } from '../compaction/compaction-plan.ts'
import type { CompactionLogLine } from '../compaction/log-lines.ts'
import type { CompactionOutcome } from '../compaction/run-compaction.ts'
import type { AskModel, CancelSignal, CompactionStrategy } from '../compaction/strategy.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import type { CompactionReason, EntryBody } from '../transcript/entry.ts'

/** The part of an `AbortSignal` that the driver looks at. */
export interface StopSignal extends CancelSignal {
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The part of an `AbortController` that the driver uses. */
export interface StopSource {
  readonly signal: StopSignal
  readonly abort: () => void
}

/** The time, as a driver needs it. */
export interface Clock {
  readonly now: () => number
  /** Calls back once after so many milliseconds; the function it returns takes that back. */
  readonly after: (ms: number, run: () => void) => () => void
}

interface AppendOptions {
  /** Refused if the base moved or the model changed since. */
  readonly epoch?: number
  /** The request of a user that the entry answers. */
  readonly requestId?: string | undefined
}

interface Summarizer {
  readonly ask: AskModel
  /** The model that answers; absent: the one that the policy names. */
  readonly modelId?: string
}

/** Everything a driver needs from its owner: the log, the clock, the model. */
export interface DriverPorts {
  readonly clock: Clock
  readonly createStop: () => StopSource
  /** Resolves after whatever else is due has run. Preparing a summary takes processor time: a request goes out first. */
  readonly pause?: () => Promise<void>
  /** The session as plans see it, now. */
  readonly session: () => SessionContext
  /** Resolves once the entries are in the log and folded. */
  readonly append: (entries: readonly EntryBody[], how?: AppendOptions) => Promise<unknown>
  /** Chooses who writes a summary. */
  readonly summarizer: (plan: CompactionPlan) => Summarizer
  readonly strategies: ReadonlyMap<string, CompactionStrategy>
  /** Saves what must last from a copy of the conversation and records the outcome; null: there is no memory. */
  readonly flush: ((signal: StopSignal) => Promise<void>) | null
  /** Whether requests may leave less room for the answer, down to half, while a summary is under way. Default: no. */
  readonly canShortenAnswers?: boolean
  /** Whether optional work may still be paid for. */
  readonly maySpend: () => Promise<boolean>
  /** Called around work that a turn waits for, so that a crash in it leaves a trace. */
  readonly noteWork?: (work: { readonly work: 'compaction' | 'flush' } | null) => Promise<void>
  /** Called after a compaction was stored and before the next request: prompt caches are cold now. */
  readonly afterCompaction?: () => Promise<void>
  readonly tell: (event: DriverEvent) => void
  readonly log?: (line: CompactionLogLine) => void
}

/** The result of a compaction, as users are told. */
export interface CompactionResult {
  readonly didCompact: boolean
  /** The way without a model that was used instead of a summary by one. */
  readonly fallback: 'extractive' | 'trim-oldest' | 'trim-count' | null
  /** The size of the context just before and just after. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly score: number | null
  /** The reason why there is no summary by a model; null: there is one, or none was asked for. */
  readonly problem: string | null
}

/** Each `compact-started` is followed by one `compact-completed`; a summary made ahead has only the second. */
export type DriverEvent =
  /** `isForced`: the provider had refused the request, and no summary made room. */
  | { readonly type: 'pruned'; readonly reason: string; readonly parts: number; readonly isForced: boolean }
  | { readonly type: 'trimmed'; readonly trim: TrimPlan; readonly tokensAfter: number }
  | { readonly type: 'flush-started'; readonly reason: string; readonly isWaited: boolean }
  | {
      readonly type: 'compact-started'
      readonly reason: CompactionReason
      readonly tokensBefore: number
      /** A turn waits for it. */
      readonly isWaited: boolean
    }
  | { readonly type: 'summary-made'; readonly plan: CompactionPlan; readonly outcome: CompactionOutcome }
  | ({ readonly type: 'compact-completed'; readonly reason: CompactionReason } & CompactionResult)
  /** A summary was not used: it came too late, or would not make the context smaller any more. */
  | { readonly type: 'summary-discarded'; readonly plan: CompactionPlan; readonly reason: string }
  /** Work beside the conversation failed in a way that nobody waits to hear of, or a listener threw. */
  | { readonly type: 'problem'; readonly work: 'compaction' | 'flush' | 'listener'; readonly error: unknown }
