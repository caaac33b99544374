import type { Usage } from '@longhaul/engine/advanced'
import type { ModelPrice, TokenPrices } from '../port/model-info.ts'

const TOKENS_PER_PRICE = 1_000_000

/**
 * What one call cost in US dollars; null where the price is unknown. Tiers are chosen by everything that was sent, cached
 * or not. Counts that make no sense are taken for the nearest that do, so the result is never negative and never NaN.
 */
export function priceUsage(price: ModelPrice | null, usage: Usage): number | null {
  if (price === null) return null
  const input = countOf(usage.input)
  const cacheRead = Math.min(countOf(usage.cacheRead), input)
  const cacheWrite = Math.min(countOf(usage.cacheWrite), input - cacheRead)
  const prices = findPrices(price, input)
  const cost =
    (input - cacheRead - cacheWrite) * prices.input +
    cacheRead * (prices.cacheRead ?? prices.input) +
    cacheWrite * (prices.cacheWrite ?? prices.input) +
    countOf(usage.output) * prices.output
  return cost / TOKENS_PER_PRICE
}

/** Of the highest tier the input has passed, in whatever order the tiers are given. */
function findPrices(price: ModelPrice, inputTokens: number): TokenPrices {
  let found: TokenPrices = price
  let highest = Number.NEGATIVE_INFINITY
  for (const tier of price.tiers) {
    if (inputTokens <= tier.aboveInputTokens || tier.aboveInputTokens < highest) continue
    found = tier
    highest = tier.aboveInputTokens
  }
  return found
}

function countOf(tokens: number | undefined): number {
  if (tokens === undefined || Number.isNaN(tokens) || tokens < 0) return 0
  return Math.min(tokens, Number.MAX_SAFE_INTEGER)
}
