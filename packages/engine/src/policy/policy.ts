import type { Estimator } from '../tokens/estimate-message.ts'

/**
 * Everything Longhaul decides by, as one value. The names are the configuration's names. `null` means off or "the other
 * keys of this group decide"; durations are milliseconds.
 */
export interface ContextPolicy {
  /** Caps the window below what the model offers. */
  readonly contextTokens: number | null
  /** Assumed when nobody knows the window; null: automatic compaction stays off until somebody does. */
  readonly assumedWindowTokens: number | null
  readonly windowGuard: WindowGuardPolicy
  readonly estimator: Estimator
  readonly bootstrapMaxChars: number
  readonly workspaceAccess: 'rw' | 'ro' | 'none'
  readonly heartbeat: { readonly every: number | null }
  /** Tools that MCP servers and a program around Longhaul bring: all of them together take at most this share of the window. */
  readonly toolDefinitions: { readonly maxRatio: number }
  readonly toolResults: ToolResultsPolicy
  /** The most that lines brought back from earlier messages may take of the window; null: nothing is brought back. */
  readonly recall: { readonly maxRatio: number | null }
  readonly contextPruning: PruningPolicy
  readonly compaction: CompactionPolicy
}

interface WindowGuardPolicy {
  readonly warnBelowTokens: number
  /** Sessions are not created below this; null: only the warning. */
  readonly refuseBelowTokens: number | null
}

export interface ToolResultsPolicy {
  readonly maxChars: number
  readonly keep: 'head' | 'head-tail'
  readonly artifacts: boolean
}

export interface PruningPolicy {
  readonly mode: 'off' | 'cache-ttl' | 'age' | 'size'
  readonly ttl: number
  readonly keepLastAssistants: number
  readonly softTrimRatio: number
  readonly hardClearRatio: number
  readonly minPrunableToolChars: number
  readonly softTrim: { readonly maxChars: number; readonly headChars: number; readonly tailChars: number }
  /** A null placeholder is written for each result: what stood there and how to get it back. */
  readonly hardClear: { readonly enabled: boolean; readonly placeholder: string | null }
  readonly softTrimAfterTurns: number
  readonly hardClearAfterTurns: number
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] }
}

export interface CompactionPolicy {
  readonly enabled: boolean
  readonly strategy: string
  /** Exactly one of the three says when: a share of the window, the window less a reserve, or a fixed count. */
  readonly triggerRatio: number | null
  readonly reserveTokens: number | null
  readonly triggerTokens: number | null
  readonly reserveTokensFloor: number
  readonly prepareRatio: number | null
  readonly check: 'after-response' | 'every-step' | 'before-turn'
  /** Exactly one of the four says what stays verbatim. */
  /**
   * Whether the conversation waits for what is due at the threshold: `beside`, never; `before-call`, for a bounded time.
   * A request that does not fit waits in either case.
   */
  readonly timing: 'beside' | 'before-call'
  readonly keepRatio: number | null
  readonly keepRecentTokens: number | null
  readonly keepMessages: number | null
  readonly keepTurns: number | null
  /** With this many messages or fewer there is nothing to do. */
  readonly minMessages: number
  readonly keepFirstUserMessage: boolean | 'ledger'
  readonly placement: 'system-prompt' | 'first-user-message' | 'system-message' | 'own-message'
  /** `session`, or a model id. */
  readonly model: string
  readonly maxOutputTokens: number
  readonly temperature: number
  /** Whether summary calls are streamed on the wire: then a call that breaks off may still tell what it cost. */
  readonly stream: boolean
  /** How long the prompt asks the summary to be; null: as long as it needs. */
  readonly summaryWords: { readonly min: number; readonly max: number } | null
  readonly timeoutMs: number
  readonly backgroundTimeoutMs: number
  readonly retries: number
  /** How tool traffic is shown to the summariser; null: whole, where there is room for that. */
  readonly preview: {
    readonly toolInputChars: number
    readonly resultMaxChars: number
    readonly resultHeadChars: number
    readonly resultTailChars: number
  } | null
  /** One text of at most this many characters, middle cut; null: only the summariser's window limits it; or in chunks. */
  readonly maxInputChars: number | 'chunked' | null
  readonly fallback: 'trim-oldest' | 'trim-count' | 'extractive'
  readonly maxMessages: number | null
  readonly memoryFlush: MemoryFlushPolicy
}

export interface MemoryFlushPolicy {
  readonly enabled: boolean
  readonly softThresholdTokens: number
  readonly silentToken: string
  readonly target: 'files' | 'tool'
  /** Added to the system text of the flush turn; null: the engine's own words (flush/prompt.ts), in its user message. */
  readonly systemPrompt: string | null
  readonly prompt: string | null
  /** The most that a flush may take as a whole. */
  readonly timeoutMs: number
}

/** A policy with any of its keys left out: what a configuration file or a session sets. */
export type PolicyPatch = DeepPartial<ContextPolicy>
type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T
