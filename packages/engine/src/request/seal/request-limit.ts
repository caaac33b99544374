import { isAutomatic } from '../../compaction/trigger.ts'
import type { ContextPolicy } from '../../policy/policy.ts'

/**
 * The most that a request may hold before the seal takes something away: `roomTokens`, null where nobody knows it. Null
 * where compaction is switched off: then nothing is left out silently, and the provider says whether it fits.
 */
export function findRequestLimit(policy: ContextPolicy, roomTokens: number | null): number | null {
  return isAutomatic(policy.compaction) ? roomTokens : null
}
