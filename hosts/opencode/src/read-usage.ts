import type { Usage } from '@longhaul/engine'
import type { ItemInfo } from './opencode-api.ts'

/** The bill of an answer. opencode counts cached input and reasoning beside the rest. null: nothing was billed. */
export function readUsage({ tokens }: ItemInfo): Usage | null {
  if (tokens === undefined) return null
  const { cache, reasoning } = tokens
  const input = tokens.input + cache.read + cache.write
  if (!(input > 0)) return null
  return { input, output: tokens.output + reasoning, reasoning, cacheRead: cache.read, cacheWrite: cache.write }
}
