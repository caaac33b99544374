import type { ContextPolicy } from '../policy/policy.ts'
import type { Limits } from '../policy/limits.ts'
import type { Usage } from '../transcript/message.ts'
import type { SummaryDocument } from '../transcript/summary-document.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import type { PromptContent } from './prompt-content.ts'

/** One call to a model that writes a summary. The caller brings the transport, the time-out and no retries of its own. */
export interface SummaryRequest {
  /** `session`, or a model id. */
  readonly model: string
  readonly system: string
  readonly prompt: string
  readonly maxOutputTokens: number
  readonly temperature: number
  /** Whether the call is streamed on the wire, though its caller gets the whole answer at once. Default true. */
  readonly stream?: boolean
  readonly timeoutMs: number
  /** What of the conversation is in the prompt, for the manifest of the call. */
  readonly content?: PromptContent
}

export interface SummaryReply {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'tool-calls' | 'other'
  readonly usage?: Usage
}

/** The port to a model. A rejected promise is a failed call; what it was billed for all the same stands in the error's `usage`. */
export type AskModel = (request: SummaryRequest, signal: CancelSignal) => Promise<SummaryReply>

/** The part of an `AbortSignal` the engine looks at. */
export interface CancelSignal {
  readonly aborted: boolean
}

export interface StrategyContext {
  readonly policy: ContextPolicy
  readonly limits: Limits
  readonly ask: AskModel
  readonly signal: CancelSignal
  /** The most that one call may take. Default: the policy's `timeoutMs`. */
  readonly callTimeoutMs?: number
}

export type StrategyResult =
  | {
      readonly ok: true
      readonly document: SummaryDocument
      readonly usage: Usage | null
      /** From 0 to 1, for a strategy with a measure of its own; otherwise `runCompaction` works it out. */
      readonly score?: number
      /** Why it is less than was asked for. Another attempt is made, and this is used if none gives better. */
      readonly weakness?: string
    }
  | {
      readonly ok: false
      readonly problem: string
      readonly usage: Usage | null
      /** The strategy made its own retries, so another attempt would only repeat them. */
      readonly isFinal?: boolean
    }

/** How a span becomes a document. Implement this to bring a strategy of your own; rejecting means failure. */
export interface CompactionStrategy {
  readonly name: string
  summarize(plan: CompactionPlan, context: StrategyContext): Promise<StrategyResult>
}

/** The strategy that asks no model: the fallback of last resort. It cannot fail differently a second time. */
export const MODEL_FREE_STRATEGY = 'extractive'
/** The one whose model reads and changes notes, while code keeps the ledger beside them. */
export const NOTES_STRATEGY = 'longhaul'
