import { createBatch } from './batch.ts'
import { createClearForm, createTrimForm } from './create-form.ts'
import { isCacheCold } from './is-cache-cold.ts'
import { findPrunableResults } from './prunable.ts'
import type { PrunePlan, PruningInput } from './prune-plan.ts'

/**
 * Prunes only when the provider's cache is cold. Above `softTrimRatio` every long result is trimmed; if that leaves the
 * request above `hardClearRatio` and there is enough to gain, the oldest results are cleared until it is below.
 */
export function planCacheTtl(input: PruningInput): PrunePlan | null {
  const { policy, usedTokens, limits } = input
  if (usedTokens === null || limits === null || !isCacheCold(input)) return null
  if (usedTokens / limits.windowTokens <= policy.softTrimRatio) return null

  const batch = createBatch(input.estimator)
  const results = findPrunableResults(input)
  for (const result of results) {
    if (batch.charsOf(result) > policy.softTrim.maxChars) batch.offer(result, createTrimForm(result, policy))
  }
  const ratio = () => (usedTokens - batch.freedTokens()) / limits.windowTokens
  if (policy.hardClear.enabled && ratio() > policy.hardClearRatio) {
    const prunableChars = results.reduce((chars, result) => chars + batch.charsOf(result), 0)
    if (prunableChars >= policy.minPrunableToolChars) {
      for (const result of results) {
        if (ratio() < policy.hardClearRatio) break
        batch.offer(result, createClearForm(result, policy))
      }
    }
  }
  const percent = Math.round((usedTokens / limits.windowTokens) * 100)
  return batch.createPlan(`cache-ttl: ${percent} % of the window used, cache cold`)
}
