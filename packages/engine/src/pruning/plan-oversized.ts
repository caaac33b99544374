import { hasToolCall } from '../messages/tool-pairs.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import { createBatch } from './batch.ts'
import { findResultsFrom } from './prunable.ts'
import type { PrunePlan } from './prune-plan.ts'

export interface OversizedInput {
  readonly items: readonly Item[]
  readonly estimator: Estimator
  /** The most that the exchange under way may take, in the estimator's tokens. */
  readonly maxTokens: number
}

/** Cut to less, a result says too little to have been worth asking for. */
const MIN_CHARS = 400
const TAIL_SHARE = 0.3

/**
 * Results that are each within their limit can be too much together. Those of the exchange under way are shortened until
 * they fit, largest first: left out or summarised, the model would never see them and would ask for them again.
 */
export function planOversized({ items, estimator, maxTokens }: OversizedInput): PrunePlan | null {
  const from = items.findLastIndex((item) => hasToolCall(item.entry))
  if (from === -1) return null
  const tokens = items.slice(from).reduce((sum, item) => sum + estimateMessage(item.message, estimator), 0)
  if (tokens <= maxTokens) return null
  const results = findResultsFrom(items, from)
  const batch = createBatch(estimator)
  const isDone = (): boolean => tokens - batch.freedTokens() <= maxTokens
  for (let chars = largest(results.map((result) => batch.charsOf(result))) / 2; chars >= MIN_CHARS && !isDone(); chars /= 2) {
    const level = Math.floor(chars)
    // A part is trimmed once, so the level is found first and applied to all that are above it.
    const freed = results.reduce((sum, result) => sum + Math.max(0, batch.charsOf(result) - level), 0)
    const total = results.reduce((sum, result) => sum + batch.charsOf(result), 0)
    if (chars / 2 >= MIN_CHARS && tokens * (1 - freed / Math.max(1, total)) > maxTokens * 0.9) continue
    for (const result of results) {
      const before = batch.charsOf(result)
      if (before <= level) continue
      const tailChars = Math.floor(level * TAIL_SHARE)
      const headChars = level - tailChars
      const note = `[Tool result trimmed: kept first ${headChars} and last ${tailChars} of ${before} characters, because the results of this step together are too large. Ask for less at a time.]`
      batch.offer(result, { form: 'soft-trimmed', headChars, tailChars, note })
    }
  }
  return batch.createPlan('oversized: the results of this step are too large together')
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0)
}
