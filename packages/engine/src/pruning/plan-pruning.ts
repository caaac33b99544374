import { planAge } from './age.ts'
import { planCacheTtl } from './cache-ttl.ts'
import type { PrunePlan, PruningInput } from './prune-plan.ts'
import { planSize } from './size.ts'

/** null: nothing to prune, or not now. The items are never changed; a plan takes effect once it is an entry. */
export function planPruning(input: PruningInput): PrunePlan | null {
  const { mode } = input.policy
  switch (mode) {
    case 'off':
      return null
    case 'cache-ttl':
      return planCacheTtl(input)
    case 'age':
      return planAge(input)
    case 'size':
      return planSize(input)
    default:
      return mode satisfies never
  }
}
