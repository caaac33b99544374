import type { CacheBehaviour, ModelPrice } from '../port/model-info.ts'
import type { ModelFacts, PriceList, VendorTable } from './model-facts.ts'
import { above, usd } from './model-facts.ts'

// Windows and prices: developers.openai.com and models.dev, with the price lists shipped by agent libraries.
const PLAIN_CACHE: CacheBehaviour = { kind: 'automatic', ttlMs: 5 * 60_000, minPrefixTokens: 1_024 }
/** From gpt-5.6 on entries live longer, and writing them is charged. */
const LONG_CACHE: CacheBehaviour = { kind: 'automatic', ttlMs: 30 * 60_000, minPrefixTokens: 1_024 }

const MILLION: Omit<ModelFacts, 'price' | 'cache'> = {
  contextWindow: 1_050_000,
  maxInput: 922_000,
  maxOutput: 128_000,
}
const GPT5: Omit<ModelFacts, 'price'> = {
  contextWindow: 400_000,
  maxInput: 272_000,
  maxOutput: 128_000,
  cache: PLAIN_CACHE,
}
const REASONING: Omit<ModelFacts, 'price'> = {
  contextWindow: 200_000,
  maxInput: null,
  maxOutput: 100_000,
  cache: PLAIN_CACHE,
}
const GPT4: Omit<ModelFacts, 'price'> = {
  contextWindow: 128_000,
  maxInput: null,
  maxOutput: 16_384,
  cache: PLAIN_CACHE,
}

export const openai: VendorTable = {
  asOf: '2026-11-15',
  models: {
    'gpt-6.1-sol': { ...MILLION, cache: LONG_CACHE, price: longContext([2, 10, 0.1, 2.5]) },
    'gpt-6.1-terra': { ...MILLION, cache: LONG_CACHE, price: longContext([1, 5, 0.05, 1.25]) },
    'gpt-6-astra': { ...MILLION, cache: LONG_CACHE, price: longContext([10, 50, 1, 12.5]) },
    // One secondary page gives 872,000 as its largest input.
    'gpt-6-sol': { ...MILLION, cache: LONG_CACHE, price: longContext([2, 10, 0.2, 2.5]) },
    'gpt-6-luna': { ...MILLION, cache: LONG_CACHE, price: longContext([0.1, 0.5, 0.01, 0.125]) },
    'gpt-5.6-sol': { ...MILLION, cache: LONG_CACHE, price: longContext([4, 20, 0.4, 5]) },
    'gpt-5.6-terra': { ...MILLION, cache: LONG_CACHE, price: longContext([2, 12, 0.2, 2.5]) },
    'gpt-5.6-luna': { ...MILLION, cache: LONG_CACHE, price: longContext([0.2, 1.2, 0.02, 0.25]) },
    'gpt-5.5': { ...MILLION, cache: PLAIN_CACHE, price: longContext([5, 30, 0.5]) },
    'gpt-5.4': { ...MILLION, cache: PLAIN_CACHE, price: longContext([2.5, 15, 0.25]) },

    'gpt-5.4-mini': { ...GPT5, price: usd([0.75, 4.5, 0.075]) },
    'gpt-5.4-nano': { ...GPT5, price: usd([0.2, 1.25, 0.02]) },
    'gpt-5.3-codex': { ...GPT5, price: usd([1.75, 14, 0.175]) },
    'gpt-5.2': { ...GPT5, price: usd([1.75, 14, 0.175]) },
    'gpt-5.1': { ...GPT5, price: usd([1.25, 10, 0.125]) },
    'gpt-5': { ...GPT5, price: usd([1.25, 10, 0.125]) },
    'gpt-5-mini': { ...GPT5, price: usd([0.25, 2, 0.025]) },

    o3: { ...REASONING, price: usd([2, 8, 0.5]) },
    'o4-mini': { ...REASONING, price: usd([1.1, 4.4, 0.275]) },
    'gpt-4.1': {
      contextWindow: 1_047_576,
      maxInput: null,
      maxOutput: 32_768,
      price: usd([2, 8, 0.5]),
      cache: PLAIN_CACHE,
    },

    // Seeds 000 and 002 list these.
    'gpt-4o': { ...GPT4, price: usd([2.5, 10, 1.25]) },
    // Its first edition was dearer and answered shorter; without its own row the date would lead to the one above.
    'gpt-4o-2024-05-13': { ...GPT4, maxOutput: 4_096, price: usd([5, 15]), cache: null },
    'gpt-4o-mini': { ...GPT4, price: usd([0.15, 0.6, 0.075]) },
    'gpt-4-turbo': { ...GPT4, maxOutput: 4_096, price: usd([10, 30]), cache: null },
    o1: { ...REASONING, price: usd([15, 60, 7.5]) },
    'o3-mini': { ...REASONING, price: usd([1.1, 4.4, 0.55]) },
  },
}

/** Above 272,000 tokens of input everything that goes in costs twice as much, and what comes out half as much again. */
function longContext([input, output, cacheRead, cacheWrite]: PriceList): ModelPrice {
  const dear: PriceList = [input * 2, output * 1.5, cacheRead && cacheRead * 2, cacheWrite && cacheWrite * 2]
  return usd([input, output, cacheRead, cacheWrite], above(272_000, dear))
}
