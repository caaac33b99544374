import { MODEL_FREE_STRATEGY, createFlushPrompt, renderMessages } from '@longhaul/engine'
import type { CompactionOutcome, CompactionPlan, ContextPolicy, Limits } from '@longhaul/engine'
import { summaryText } from '../summaries/summary-text.ts'
import type { CarrierOptions, MaintenanceCall, RequestItem } from './carrier.ts'

/** What maintenance of a policy would have been billed for. */
export interface CallMeter {
  /** null: the policy asks no model for its summaries. */
  summaryCall(plan: CompactionPlan, outcome: CompactionOutcome): MaintenanceCall | null
  /** A turn of the session itself. */
  flushCall(prefix: readonly RequestItem[]): MaintenanceCall
}

/** Instructions around what a summariser reads. */
const PROMPT_TOKENS = 600
/** What is worth saving is a note or two; most flushes save nothing. */
const FLUSH_OUTPUT_TOKENS = 200

export function createCallMeter(policy: ContextPolicy, limits: Limits, options: CarrierOptions): CallMeter {
  const { sizes, summaries } = options
  const { preview, maxInputChars, model, strategy } = policy.compaction
  const summaryModel = model === 'session' ? null : model
  const { system, prompt } = createFlushPrompt({ policy: policy.compaction.memoryFlush, date: '2000-01-01' })
  const flushTokens = sizes.tokensOfText(`${system}\n${prompt}`)
  return {
    summaryCall(plan, outcome) {
      const asked = summaries.takeAsked()
      const common = { prefix: null, model: summaryModel }
      if (asked !== null) return { ...common, ...asked }
      if (strategy === MODEL_FREE_STRATEGY) return null
      const text = renderMessages(
        plan.span.map(({ message }) => message),
        preview ?? {},
      )
      const read = typeof maxInputChars === 'number' ? text.slice(0, maxInputChars) : text
      const earlier = plan.previousDocument === null ? '' : summaryText(plan.previousDocument)
      const written = outcome.kind === 'compacted' ? sizes.tokensOfText(summaryText(outcome.entry.document)) : 0
      return {
        ...common,
        inputTokens: PROMPT_TOKENS + sizes.tokensOfText(read) + sizes.tokensOfText(earlier),
        outputTokens: Math.min(written, limits.summaryOutputTokens),
      }
    },
    flushCall: (prefix) => ({
      prefix,
      inputTokens: flushTokens,
      outputTokens: FLUSH_OUTPUT_TOKENS,
      model: null,
    }),
  }
}
