import { countAssistantTurnsAfter } from '../messages/turns.ts'
import { createBatch } from './batch.ts'
import { createClearForm, createTrimForm } from './create-form.ts'
import { findPrunableResults } from './prunable.ts'
import type { PrunePlan, PruningInput } from './prune-plan.ts'

/**
 * A result's age is the number of assistant messages after it. Older than N means an age of more than N: with 3, a
 * result is sent whole until a fourth assistant message stands behind it. Size and cache do not matter here.
 */
export function planAge(input: PruningInput): PrunePlan | null {
  const { items, policy, estimator } = input
  const { softTrimAfterTurns, hardClearAfterTurns, softTrim, hardClear } = policy
  const batch = createBatch(estimator)
  const ages = countAssistantTurnsAfter(items.map((item) => item.entry))
  for (const result of findPrunableResults(input)) {
    const age = ages[result.messageIndex] ?? 0
    const isCleared =
      hardClear.enabled && age > hardClearAfterTurns && batch.offer(result, createClearForm(result, policy))
    if (!isCleared && age > softTrimAfterTurns && batch.charsOf(result) > softTrim.maxChars) {
      batch.offer(result, createTrimForm(result, policy))
    }
  }
  return batch.createPlan(`age: results older than ${softTrimAfterTurns} assistant turns`)
}
