import type { ReplayEvent, ReplayPolicy } from '../carriers/carrier.ts'
import type { RetentionResult } from '../retention/retention.ts'

/** What a request holds, in tokens. */
export interface Layers {
  /** System prompt, tools, and whatever else the transcript leaves out. */
  readonly head: number
  readonly summary: number
  readonly pins: number
  readonly user: number
  readonly assistant: number
  readonly tool: number
  /** Messages in a shorter form. */
  readonly shortened: number
}

/** One request as it would have been sent. */
export interface RequestResult {
  /** The message that answers it. */
  readonly message: number
  readonly at: number
  readonly tokens: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheMiss: number
  /** What the transcript's own request read from the cache, by its bill; null: it does not say. */
  readonly billedCacheRead: number | null
  readonly outputTokens: number
  /** null: the price is unknown. */
  readonly costUsd: number | null
  /** All that was paid up to here, maintenance included; null: the price is unknown. */
  readonly paidUsd: number | null
  readonly isOverWindow: boolean
  readonly layers: Layers
  /** What was done since the request before. */
  readonly events: readonly EventResult[]
}

export interface EventResult extends Omit<ReplayEvent, 'call'> {
  /** Of the call it made, or a model would have had to make. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number | null
}

export interface RunTotals {
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Of all tokens sent in requests, those read from the cache; 0 to 1. */
  readonly hitRate: number
  /** Requests and maintenance together; null: the price is unknown. */
  readonly costUsd: number | null
  readonly maintenanceUsd: number | null
  readonly maxTokens: number
  /** A provider would have refused these. They are counted at the price of sending them. */
  readonly overWindow: number
  readonly prunes: number
  readonly flushes: number
  readonly compactions: number
  /** Compactions that made the context less than a twentieth smaller, and those that failed for that. */
  readonly noGain: number
  readonly trims: number
  readonly failures: number
  /** Calls of maintenance that an answer had to wait for. */
  readonly waits: number
  /** What a model was asked, or would have been, for summaries alone. */
  readonly summaryCalls: number
  readonly summaryInputTokens: number
  readonly summaryOutputTokens: number
}

/** One policy on one conversation. */
export interface RunResult {
  readonly policy: Pick<ReplayPolicy, 'name' | 'kind' | 'about' | 'source' | 'canRecall'>
  readonly conversation: string
  readonly messages: number
  readonly model: string | null
  readonly windowTokens: number
  readonly totals: RunTotals
  readonly retention: RetentionResult
  /** Of a long run every second, fourth, … request, each with what was done since the one before; the totals count all. */
  readonly requests: readonly RequestResult[]
  /** After the last answer. */
  readonly lastEvents: readonly EventResult[]
}
