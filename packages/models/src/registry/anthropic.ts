import type { CacheBehaviour } from '../port/model-info.ts'
import type { ModelFacts, VendorTable } from './model-facts.ts'
import { above, usd } from './model-facts.ts'

// Windows and prices: platform.claude.com and models.dev, with the price lists shipped by agent libraries; cache writes
// at the five-minute price. Smallest cached prefixes: dev.to/creeta; nobody publishes those of the 5.1, 5.2 and 5.5
// models, so they have the largest that any Claude has: a prefix that long is cached by all of them.
const UNPUBLISHED_MIN_PREFIX = 4_096

// Listed twice, with and without the date of their edition: configurations name them both ways.
const OPUS_4_5: ModelFacts = { ...small(64_000, 4_096), price: usd([5, 25, 0.5, 6.25]) }
// Retires 2026-11-30. A beta header gave it a million tokens; the plain endpoint says 200,000.
const SONNET_4_5: ModelFacts = { ...small(64_000, 1_024), price: usd([3, 15, 0.3, 3.75]) }
const HAIKU_4_5: ModelFacts = { ...small(64_000, 4_096), price: usd([1, 5, 0.1, 1.25]) }

export const anthropic: VendorTable = {
  asOf: '2026-11-15',
  models: {
    // No price found.
    'claude-fable-5-2': { ...large(UNPUBLISHED_MIN_PREFIX), price: null },
    'claude-fable-5-1': { ...large(UNPUBLISHED_MIN_PREFIX), price: usd([10, 50, 0.25, 12.5]) },
    'claude-fable-5': { ...large(512), price: usd([10, 50, 1, 12.5]) },
    // Mythos is Fable for restricted use, at the same prices.
    'claude-mythos-5-2': { ...large(UNPUBLISHED_MIN_PREFIX), price: null },
    'claude-mythos-5-1': { ...large(UNPUBLISHED_MIN_PREFIX), price: usd([10, 50, 0.25, 12.5]) },
    'claude-mythos-5': { ...large(512), price: usd([10, 50, 1, 12.5]) },

    'claude-opus-5-5': { ...large(UNPUBLISHED_MIN_PREFIX), price: usd([4, 20, 0.2, 5]) },
    'claude-opus-5': { ...large(512), price: usd([5, 25, 0.5, 6.25]) },
    'claude-opus-4-8': { ...large(1_024), price: usd([5, 25, 0.5, 6.25]) },
    'claude-opus-4-7': { ...large(2_048), price: usd([5, 25, 0.5, 6.25]) },
    'claude-opus-4-6': { ...large(4_096), price: usd([5, 25, 0.5, 6.25]) },
    'claude-opus-4-5': OPUS_4_5,
    'claude-opus-4-5-20251101': OPUS_4_5,

    // Third parties said 0.20 for a cache read at its launch; the vendor's price page says 5 % of the input.
    'claude-sonnet-5-5': { ...large(UNPUBLISHED_MIN_PREFIX), price: usd([2, 10, 0.1, 2.5]) },
    'claude-sonnet-5': { ...large(1_024), price: usd([2, 10, 0.2, 2.5]) },
    'claude-sonnet-4-6': { ...large(1_024), price: usd([3, 15, 0.3, 3.75]) },
    'claude-sonnet-4-5': SONNET_4_5,
    'claude-sonnet-4-5-20250929': SONNET_4_5,

    'claude-haiku-5-5': {
      ...large(UNPUBLISHED_MIN_PREFIX),
      price: usd([0.1, 0.5, 0.01, 0.125], above(100_000, [0.5, 2.5, 0.05, 0.625])),
    },
    'claude-haiku-4-5': HAIKU_4_5,
    'claude-haiku-4-5-20251001': HAIKU_4_5,

    // Seed 000 lists these; the vendor has retired them. Haiku is called claude-3-5-haiku-20241022 there.
    'claude-sonnet-4-20250514': { ...small(64_000, 1_024), price: usd([3, 15, 0.3, 3.75]) },
    'claude-opus-4-20250514': { ...small(32_000, 1_024), price: usd([15, 75, 1.5, 18.75]) },
    'claude-haiku-3-5-20241022': { ...small(8_192, 2_048), price: usd([0.8, 4, 0.08, 1]) },
  },
}

function large(minPrefixTokens: number): Omit<ModelFacts, 'price'> {
  return { contextWindow: 1_000_000, maxInput: null, maxOutput: 128_000, cache: cache(minPrefixTokens) }
}

function small(maxOutput: number, minPrefixTokens: number): Omit<ModelFacts, 'price'> {
  return { contextWindow: 200_000, maxInput: null, maxOutput, cache: cache(minPrefixTokens) }
}

function cache(minPrefixTokens: number): CacheBehaviour {
  return { kind: 'explicit', ttlMs: 5 * 60_000, minPrefixTokens }
}
