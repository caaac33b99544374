import type { PruningInput } from './prune-plan.ts'

/** Past its time to live a provider has dropped the prefix: it is written anew anyway, so an edit costs nothing. */
export function isCacheCold({ now, lastCallAt, policy }: Pick<PruningInput, 'now' | 'lastCallAt' | 'policy'>): boolean {
  return lastCallAt === null || now - lastCallAt >= policy.ttl
}
