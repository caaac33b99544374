import type { SummaryMeasure } from '../summary/check-summary.ts'
import { detectLanguage, nameLanguage } from '../summary/detect-language.ts'
import { renderDocument } from '../summary/render-document.ts'
import { estimateField, estimateMessage } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import type { Role } from '../transcript/message.ts'
import { chunkCallTokens, planChunks, planSingleText } from './chunks.ts'
import type { ChunkPlan } from './chunks.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import type { PromptWishes } from './prompts/closing-lines.ts'
import { namesLanguage, readUserWish } from './prompts/user-wish.ts'
import type { StrategyContext } from './strategy.ts'
import { fitTokens } from './summariser-input.ts'
import type { SpanForm } from './summariser-input.ts'

/** What a summariser is given and held against, worked out once for an attempt. */
export interface SummaryJob {
  readonly material: ChunkPlan
  readonly earlier: string | null
  readonly wishes: PromptWishes
  readonly measure: Omit<SummaryMeasure, 'readTokens'>
  /** The most that one call may be given. */
  readonly callTokens: number
}

const EARLIER_SHARE = 0.5
const WISH_SHARE = 0.25

export function readSummaryJob(
  plan: CompactionPlan,
  { policy, limits }: StrategyContext,
  { isNumbered }: Required<Pick<SpanForm, 'isNumbered'>>,
): SummaryJob {
  const { estimator } = policy
  const { preview, maxInputChars, summaryWords } = policy.compaction
  const isChunked = maxInputChars === 'chunked'
  const callTokens = isChunked ? chunkCallTokens(limits) : limits.summaryInputTokens
  const fit = (text: string | null, share: number): string | null =>
    text === null ? null : fitTokens(text, callTokens * share, estimator)
  const previous = plan.previousDocument === null ? '' : renderDocument(plan.previousDocument)
  const earlier = fit(previous === '' ? null : previous, EARLIER_SHARE)
  const wish = fit(readUserWish(plan.instructions), WISH_SHARE)
  const options = {
    limits,
    estimator,
    preview,
    isNumbered,
    besideTokens: estimateField(earlier ?? '', estimator) + estimateField(wish ?? '', estimator),
  }
  const userText = proseBy(plan.span, 'user') || previous
  const language = detectLanguage(userText)
  return {
    material: isChunked
      ? planChunks(plan.span, options)
      : planSingleText(plan.span, { ...options, maxChars: maxInputChars, ratio: findRatio(plan, estimator) }),
    earlier,
    wishes: { wish, language: language === null ? null : nameLanguage(language), words: summaryWords },
    measure: {
      userText,
      assistantText: proseBy(plan.span, 'assistant'),
      anyLanguage: wish !== null && namesLanguage(wish),
      replacedTokens: plan.spanTokens + estimateField(previous, estimator),
      estimator,
    },
    callTokens,
  }
}

export function idsOf(items: readonly Item[]): readonly string[] {
  return items.map((item) => item.entry.id)
}

/** The size of the span was corrected by what the session's model bills. A summary model that bills less has room to spare. */
function findRatio({ span, spanTokens }: CompactionPlan, estimator: Estimator): number {
  const estimate = span.reduce((sum, { message }) => sum + estimateMessage(message, estimator), 0)
  return estimate === 0 ? 1 : Math.max(1, spanTokens / estimate)
}

function proseBy(items: readonly Item[], role: Role): string {
  return items
    .filter((item) => item.message.role === role)
    .flatMap((item) => item.message.parts)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}
