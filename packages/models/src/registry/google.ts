import type { CacheBehaviour, ModelPrice } from '../port/model-info.ts'
import type { ModelFacts, VendorTable } from './model-facts.ts'
import { above, usd } from './model-facts.ts'

// Windows and prices: ai.google.dev and models.dev, with the price lists shipped by agent libraries. How long an entry
// of the automatic cache lives is not published: five minutes is what every other vendor grants at least.
export const google: VendorTable = {
  asOf: '2026-11-15',
  models: {
    'gemini-4-argon': { ...pro(usd([2, 10, 0.1])), maxOutput: 32_768 },
    // Introductory price until 2026-12-31.
    'gemini-3.8-flash': flash(usd([0.75, 3.75, 0.075])),
    'gemini-3.7-flash': flash(usd([0.75, 3.75, 0.075])),
    'gemini-3.6-flash': flash(usd([0.75, 3.75, 0.075])),
    'gemini-3.5-flash': flash(usd([1.5, 9, 0.15])),
    'gemini-3.5-flash-lite': flash(usd([0.3, 2.5])),
    'gemini-3.1-pro-preview': pro(usd([2, 12, 0.2], above(200_000, [4, 18, 0.4]))),
    'gemini-3.1-flash-lite': flash(usd([0.25, 1.5, 0.025])),
    'gemini-2.5-pro': pro(usd([1.25, 10, 0.125], above(200_000, [2.5, 15, 0.25]))),
    'gemini-2.5-flash': flash(usd([0.3, 2.5, 0.03])),

    // Seeds 000 and 002 list these; the vendor has retired them.
    'gemini-2.5-pro-preview-05-06': pro(usd([1.25, 10, 0.125], above(200_000, [2.5, 15, 0.25]))),
    'gemini-2.0-flash': { ...flash(usd([0.1, 0.4, 0.025])), maxOutput: 8_192 },
  },
}

function pro(price: ModelPrice): ModelFacts {
  return { contextWindow: 1_048_576, maxInput: null, maxOutput: 65_536, price, cache: cache(4_096) }
}

function flash(price: ModelPrice): ModelFacts {
  return { contextWindow: 1_048_576, maxInput: null, maxOutput: 65_536, price, cache: cache(1_024) }
}

function cache(minPrefixTokens: number): CacheBehaviour {
  return { kind: 'automatic', ttlMs: 5 * 60_000, minPrefixTokens }
}
