import type { CompactionEntry, MessageEntry, Usage } from '@longhaul/engine/advanced'
import { priceUsage } from '@longhaul/models/prices'
import type { Registry } from '@longhaul/models/prices'

/** Prices of one session: list prices of its model, with the share of its input that its own bills read from a cache. */
export interface SessionPrices {
  /** The call that wrote a summary, as it was billed, or as reading that window would be; null: nobody knows. */
  summaryUsd(
    compaction: CompactionEntry,
    sizes: { readonly input: number | null; readonly output: number },
  ): number | null
  /** Content that comes into the window is billed once as new input. Later requests would have held it either way. */
  refetchUsd(tokens: number): number | null
}

export function priceSession(spoken: readonly MessageEntry[], model: string | null, registry: Registry): SessionPrices {
  const bills = spoken.flatMap(({ usage }) => (usage === undefined || usage.input <= 0 ? [] : [usage]))
  const share = shareOf(bills, ({ cacheRead }) => cacheRead)
  const writesCache = shareOf(bills, ({ cacheWrite }) => cacheWrite) > 0
  const priceOf = (used: string | null): ReturnType<Registry['describe']>['price'] =>
    used === null ? null : registry.describe(used).price
  return {
    summaryUsd({ usage, model: own }, { input, output }) {
      if (usage?.costUsd !== undefined) return usage.costUsd
      const price = priceOf(own ?? model)
      if (usage !== undefined) return priceUsage(price, usage)
      if (input === null) return null
      return priceUsage(price, { input, output, cacheRead: Math.round(input * share) })
    },
    refetchUsd(tokens) {
      const usage: Usage = { input: tokens, output: 0, ...(writesCache ? { cacheWrite: tokens } : {}) }
      return priceUsage(priceOf(model), usage)
    },
  }
}

/** Bills without cache figures count as read in full: then the list price is all that is known. */
function shareOf(bills: readonly Usage[], tokensOf: (usage: Usage) => number | undefined): number {
  const input = bills.reduce((sum, usage) => sum + usage.input, 0)
  const read = bills.reduce((sum, usage) => sum + (tokensOf(usage) ?? 0), 0)
  return input === 0 ? 0 : Math.min(1, read / input)
}
