import {
  MODEL_FREE_STRATEGY,
  NOTES_STRATEGY,
  createFlushPrompt,
  renderDocument,
  renderMessages,
  renderSummary,
} from '@longhaul/engine/advanced'
import type {
  CompactionOutcome,
  CompactionPlan,
  ContextPolicy,
  Limits,
  SummaryDocument,
} from '@longhaul/engine/advanced'
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
      const document = outcome.kind === 'compacted' ? outcome.entry.document : null
      const tell = strategy === NOTES_STRATEGY ? tellNotes : tellAll
      const { earlier, written } = tell(plan.previousDocument, document)
      return {
        ...common,
        inputTokens: PROMPT_TOKENS + sizes.tokensOfText(read) + sizes.tokensOfText(earlier),
        outputTokens: Math.min(sizes.tokensOfText(written), limits.summaryOutputTokens),
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

/** What a model reads of the summary so far, and what it writes. */
interface Telling {
  readonly earlier: string
  readonly written: string
}

type Tell = (previous: SummaryDocument | null, next: SummaryDocument | null) => Telling

/** All of it, told anew. */
const tellAll: Tell = (previous, next) => ({
  earlier: previous === null ? '' : renderSummary(previous),
  written: next === null ? '' : renderSummary(next),
})

/** Notes that stand as they stood are not written again. */
const tellNotes: Tell = (previous, next) => {
  const known = new Set(previous?.sections.flatMap(({ items }) => items.map(({ text }) => text)))
  const sections = next?.sections.map((section) => ({
    ...section,
    items: section.items.filter(({ text }) => !known.has(text)),
  }))
  return {
    earlier: previous === null ? '' : renderDocument(previous, { ids: true }),
    written: renderDocument({ version: 1, sections: sections ?? [] }, { ids: true }),
  }
}
