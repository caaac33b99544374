import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forecastTurns } from './forecast.ts'

const steady = [1_000, 1_000, 1_000, 1_000]

function forecast(growth: readonly number[], leftTokens: number): number | null {
  return forecastTurns({ growth, usedTokens: 100_000, thresholdTokens: 100_000 + leftTokens })
}

describe('forecastTurns', () => {
  it('LH-01 counts the turns that fit, rounded down', () => {
    expect(forecast(steady, 12_900)).toBe(12)
    expect(forecast(steady, 999)).toBe(0)
  })

  it.each([
    [19_999, 19],
    [29_000, 20],
    [157_000, 150],
    [250_000, 200],
    [1_999_000, 1_900],
    [3_456_000, 3_000],
  ])('LH-01 does not pretend to know more than it does: %i tokens', (leftTokens, turns) => {
    expect(forecast(steady, leftTokens)).toBe(turns)
  })

  it('LH-01 is 0 at the threshold and past it', () => {
    expect(forecast(steady, 0)).toBe(0)
    expect(forecast([], -5_000)).toBe(0)
  })

  it.each([
    ['before three turns', [1_000, 1_000]],
    ['while nothing grows', [0, 0, 0, 0]],
    ['while hardly anything grows', [0, 0, 0, 0, 9_000]],
    ['if every turn was compacted', [-3_000, -1_000, -40_000]],
    ['of what is no number', [Number.NaN, Infinity, 1_000, 1_000]],
  ])('LH-01 says nothing %s', (_, growth) => {
    expect(forecast(growth, 12_000)).toBeNull()
  })

  it('LH-01 says nothing where the threshold is unknown', () => {
    expect(forecastTurns({ growth: steady, usedTokens: 5, thresholdTokens: Infinity })).toBeNull()
    expect(forecastTurns({ growth: steady, usedTokens: Number.NaN, thresholdTokens: 5 })).toBeNull()
  })

  it('LH-01 lets one huge paste count, but not rule', () => {
    expect(forecast([...steady, ...steady, 80_000], 19_000)).toBe(13)
  })

  it('LH-01 looks past a compaction and forgets what is long ago', () => {
    expect(forecast([1_000, 1_000, -90_000, 1_000], 12_000)).toBe(12)
    expect(
      forecast([...Array.from({ length: 30 }, () => 9_000), ...Array.from({ length: 16 }, () => 500)], 6_000),
    ).toBe(12)
  })

  it('LH-01 is null or a whole number of at least 0, and never more with less room', () => {
    const room = fc.record({ used: fc.nat(300_000), limit: fc.nat(300_000), less: fc.nat(50_000) })
    fc.assert(
      fc.property(fc.array(fc.double()), room, (growth, { used, limit, less }) => {
        const turns = forecastTurns({ growth, usedTokens: used, thresholdTokens: limit })
        const fewer = forecastTurns({ growth, usedTokens: used + less, thresholdTokens: limit })
        expect(turns === null || (Number.isInteger(turns) && turns >= 0)).toBe(true)
        expect(fewer ?? 0).toBeLessThanOrEqual(turns ?? Infinity)
      }),
    )
  })
})
