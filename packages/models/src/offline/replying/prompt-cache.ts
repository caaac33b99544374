import type { PromptItem } from './measure-prompt.ts'

/** How many prefixes are known at a time. */
const MAX_PREFIXES = 4_096

/** Behaves like the prompt cache of a provider: what a request shares with an earlier one from its beginning is cheap. */
export interface PromptCache {
  /** The tokens of this request that are in the cache; from then on all of them are. */
  read(items: readonly PromptItem[]): number
}

export function createPromptCache(): PromptCache {
  const known = new Set<string>()
  return {
    read(items) {
      const fresh = items.findIndex(({ prefixHash }) => !known.has(prefixHash))
      for (const { prefixHash } of items) {
        known.delete(prefixHash)
        known.add(prefixHash)
      }
      for (const oldest of known) {
        if (known.size <= MAX_PREFIXES) break
        known.delete(oldest)
      }
      return items.slice(0, fresh < 0 ? items.length : fresh).reduce((sum, { tokens }) => sum + tokens, 0)
    },
  }
}
