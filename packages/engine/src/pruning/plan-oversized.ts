import { hasToolCall } from '../messages/tool-pairs.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import { createBatch } from './batch.ts'
import { charsOf, findResultsFrom } from './prunable.ts'
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
/** Characters are not tokens: the cut aims a little lower than it has to. */
const AIM = 0.85

/**
 * Results that are each within their limit can be too much together. Those of the exchange under way are shortened until
 * they fit, all to one length: left out or summarised, the model would never see them, and would ask for them again.
 */
export function planOversized({ items, estimator, maxTokens }: OversizedInput): PrunePlan | null {
  const from = items.findLastIndex((item) => hasToolCall(item.entry))
  if (from === -1) return null
  const tokens = items.slice(from).reduce((sum, item) => sum + estimateMessage(item.message, estimator), 0)
  if (tokens <= maxTokens) return null
  const results = findResultsFrom(items, from)
  const maxChars = findLength(
    results.map(({ shown }) => charsOf(shown)),
    (maxTokens * AIM) / tokens,
  )
  const batch = createBatch(estimator)
  for (const result of results) batch.offer(result, createForm(maxChars, charsOf(result.stored)))
  return batch.createPlan('oversized: the results of this step are too large together')
}

/** The length to which the longer ones are cut so that at most the given share of all characters is left. */
function findLength(sizes: readonly number[], share: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let length = sizes.reduce((a, b) => Math.max(a, b), 0)
  const left = (): number => sizes.reduce((sum, size) => sum + Math.min(size, length), 0)
  while (length > MIN_CHARS && left() > total * share) length = Math.max(MIN_CHARS, length * 0.9)
  return Math.floor(length)
}

function createForm(maxChars: number, totalChars: number): PruneForm {
  const tailChars = Math.floor(maxChars * TAIL_SHARE)
  const headChars = maxChars - tailChars
  const kept = `kept first ${headChars} and last ${tailChars} of ${totalChars} characters`
  const note = `[Tool result trimmed: ${kept}. The results of this step are too large together; ask for less at a time.]`
  return { form: 'soft-trimmed', headChars, tailChars, note }
}
