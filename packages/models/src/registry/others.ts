import type { ModelPrice } from '../port/model-info.ts'
import type { ModelFacts, VendorTable } from './model-facts.ts'
import { above, usd } from './model-facts.ts'

// Windows and prices: docs.x.ai, api-docs.deepseek.com, console.groq.com and models.dev.
const asOf = '2026-11-15'

export const xai: VendorTable = {
  asOf,
  models: {
    'grok-4.7': grok(500_000, usd([2, 6, 0.5], above(200_000, [4, 12, 1]))),
    'grok-4.6': grok(500_000, usd([2, 6, 0.5], above(200_000, [4, 12, 1]))),
    'grok-4.5': grok(500_000, usd([2, 6, 0.5], above(200_000, [4, 12, 1]))),
    'grok-4.3': grok(1_000_000, usd([1.25, 2.5, 0.2], above(200_000, [2.5, 5, 0.4]))),
  },
}

/** The list prices; outside peak hours half of them is charged, which no table can know beforehand. */
export const deepseek: VendorTable = {
  asOf,
  models: {
    'deepseek-v4-pro': {
      contextWindow: 1_000_000,
      maxInput: null,
      maxOutput: 384_000,
      price: usd([1.32, 3.96, 0.044]),
      cache: null,
    },
    'deepseek-flash': {
      contextWindow: 1_000_000,
      maxInput: null,
      maxOutput: 384_000,
      price: usd([0.3, 1.2, 0.006]),
      cache: null,
    },
  },
}

export const groq: VendorTable = {
  asOf,
  models: {
    'llama-3.3-70b-versatile': {
      contextWindow: 131_072,
      maxInput: null,
      maxOutput: 32_768,
      price: null,
      cache: null,
    },
  },
}

function grok(contextWindow: number, price: ModelPrice): ModelFacts {
  return { contextWindow, maxInput: null, maxOutput: null, price, cache: null }
}
