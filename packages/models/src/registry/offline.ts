import type { VendorTable } from './model-facts.ts'
import { usd } from './model-facts.ts'

/** The model that needs no network. It costs nothing; its window is whatever the configuration says, else this. */
export const offline: VendorTable = {
  asOf: '2026-11-15',
  models: {
    extractive: { contextWindow: 32_768, maxInput: null, maxOutput: null, price: usd([0, 0, 0, 0]), cache: null },
  },
}
