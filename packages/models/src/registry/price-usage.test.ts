import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelPrice } from '../port/model-info.ts'
import { priceUsage } from './price-usage.ts'

const plain: ModelPrice = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5, tiers: [] }
const tiered: ModelPrice = {
  ...plain,
  tiers: [
    { aboveInputTokens: 500_000, input: 16, output: 60, cacheRead: 0.8, cacheWrite: 20 },
    { aboveInputTokens: 100_000, input: 8, output: 30, cacheRead: 0.4, cacheWrite: 10 },
  ],
}

const tokens = fc.integer({ min: 0, max: 2_000_000 })
const cents = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)
/** Tiers that never get cheaper, as all known ones. */
const price: fc.Arbitrary<ModelPrice> = fc
  .record({ input: cents, output: cents, rise: cents, at: tokens, knowsCache: fc.boolean() })
  .map(({ input, output, rise, at, knowsCache }) => ({
    ...pricesOf(input, output, knowsCache),
    tiers: [{ aboveInputTokens: at, ...pricesOf(input + rise, output + rise, knowsCache) }],
  }))

function pricesOf(input: number, output: number, knowsCache: boolean) {
  return { input, output, cacheRead: knowsCache ? input / 10 : null, cacheWrite: knowsCache ? input * 1.25 : null }
}

describe('priceUsage', () => {
  it('prices uncached, read and written input apart', () => {
    const usage = { input: 1_000_000, cacheRead: 600_000, cacheWrite: 100_000, output: 10_000, reasoning: 9_000 }
    expect(priceUsage(plain, usage)).toBeCloseTo(0.3 * 4 + 0.6 * 0.2 + 0.1 * 5 + 0.01 * 20, 10)
  })

  it('bills the whole request at the tier that its whole input reaches', () => {
    expect(priceUsage(tiered, { input: 100_000, output: 0 })).toBeCloseTo(0.4, 10)
    expect(priceUsage(tiered, { input: 100_001, output: 0 })).toBeCloseTo(0.800_008, 10)
    expect(priceUsage(tiered, { input: 100_001, cacheRead: 100_000, output: 1_000_000 })).toBeCloseTo(30.040_008, 10)
    expect(priceUsage(tiered, { input: 600_000, output: 0 })).toBeCloseTo(9.6, 10)
  })

  it('takes the input price where a cache price is unknown', () => {
    const unknown = { ...plain, cacheRead: null, cacheWrite: null }
    const usage = { input: 1_000, cacheRead: 500, cacheWrite: 300, output: 0 }
    expect(priceUsage(unknown, usage)).toBeCloseTo(0.004, 10)
  })

  it('says nothing about an unknown price and zero about a free model', () => {
    expect(priceUsage(null, { input: 5, output: 5 })).toBeNull()
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, tiers: [] }
    expect(priceUsage(free, { input: 1e9, output: 1e9 })).toBe(0)
  })

  it('is finite and never negative, whatever an endpoint reports', () => {
    const odd = fc.oneof(fc.double(), fc.constantFrom(-1, Number.NaN, Infinity, -Infinity, Number.MAX_VALUE))
    fc.assert(
      fc.property(price, odd, odd, odd, odd, (known, input, output, cacheRead, cacheWrite) => {
        const cost = priceUsage(known, { input, output, cacheRead, cacheWrite })
        expect(cost).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(cost)).toBe(true)
      }),
    )
  })

  it('never gets cheaper with more tokens', () => {
    fc.assert(
      fc.property(price, tokens, tokens, tokens, tokens, (known, input, output, moreInput, moreOutput) => {
        const less = priceUsage(known, { input, output }) ?? Number.NaN
        const more = priceUsage(known, { input: input + moreInput, output: output + moreOutput }) ?? Number.NaN
        expect(more).toBeGreaterThanOrEqual(less)
      }),
    )
  })

  it('is the sum of its parts within one tier', () => {
    fc.assert(
      fc.property(price, tokens, tokens, tokens, tokens, (known, uncached, cacheRead, cacheWrite, output) => {
        const input = uncached + cacheRead + cacheWrite
        const tier = input > (known.tiers[0]?.aboveInputTokens ?? Infinity) ? known.tiers[0] : known
        const prices: ModelPrice = { ...known, ...tier, tiers: [] }
        const parts = [
          { input: uncached, output: 0 },
          { input: cacheRead, cacheRead, output: 0 },
          { input: cacheWrite, cacheWrite, output: 0 },
          { input: 0, output },
        ]
        const sum = parts.reduce((total, part) => total + (priceUsage(prices, part) ?? Number.NaN), 0)
        expect(priceUsage(known, { input, cacheRead, cacheWrite, output })).toBeCloseTo(sum, 6)
      }),
    )
  })

  it('counts more cached than sent as all cached', () => {
    expect(priceUsage(plain, { input: 100, cacheRead: 500, cacheWrite: 500, output: 0 })).toBeCloseTo(0.000_02, 12)
  })
})
