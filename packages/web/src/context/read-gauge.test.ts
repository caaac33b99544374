import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGauge } from './read-gauge.ts'

const TOKENS = {
  context: 62_104,
  window: 200_000,
  percent: 31,
  source: 'reported',
  threshold: 160_000,
  input: 0,
  output: 0,
} as const

describe('the gauge', () => {
  it('ONE-18 says how full the context is, who says so and when a compaction comes', () => {
    expect(readGauge({ tokens: TOKENS, turnsLeft: 12, isExempt: false })).toEqual({
      fill: 0.31052,
      mark: 0.8,
      level: 'calm',
      percent: '31 %',
      short: '62.1k of 200k',
      amount: '62,104 of 200,000 tokens',
      source: 'reported by the provider',
      forecast: 'About 12 turns until the next compaction, at 160k tokens.',
    })
  })

  it('says unknown where nobody knows, and draws nothing', () => {
    const unknown = { ...TOKENS, context: null, source: 'unknown', percent: null } as const
    expect(readGauge({ tokens: unknown, turnsLeft: null, isExempt: false })).toMatchObject({
      fill: null,
      level: 'unknown',
      percent: 'unknown',
      amount: 'unknown of 200,000 tokens',
    })
    const noWindow = { ...TOKENS, window: null, threshold: null, percent: null }
    expect(readGauge({ tokens: noWindow, turnsLeft: null, isExempt: false })).toMatchObject({
      fill: null,
      mark: null,
      percent: 'unknown',
      short: '62.1k, window unknown',
      forecast: 'No automatic compaction: the size of the window is unknown.',
    })
  })

  it('after an undo promises no compaction at the threshold', () => {
    const past = { ...TOKENS, context: 170_000 }
    expect(readGauge({ tokens: past, turnsLeft: 0, isExempt: true }).forecast).toBe(
      'After your undo, the next compaction comes when the window is full.',
    )
    const noWindow = { ...TOKENS, window: null, threshold: null }
    expect(readGauge({ tokens: noWindow, turnsLeft: null, isExempt: true }).forecast).toMatch(/refuses a request/)
  })

  it('warns before the threshold and says so when it is passed', () => {
    const levelAt = (context: number) => readGauge({ tokens: { ...TOKENS, context }, turnsLeft: 0, isExempt: false })
    expect(levelAt(150_000)).toMatchObject({
      level: 'near',
      forecast: 'The next turn will probably start a compaction.',
    })
    expect(levelAt(170_000)).toMatchObject({
      level: 'due',
      forecast: expect.stringMatching(/^Past the threshold/),
      percent: '85 %',
    })
    expect(levelAt(1_130_000)).toMatchObject({ percent: 'over 100 %', fill: 1 })
  })

  it('never shows a share outside 0 to 1, whatever it is told', () => {
    const count = fc.option(fc.nat({ max: 3_000_000 }), { nil: null })
    const sources = fc.constantFrom('reported', 'estimated', 'unknown')
    fc.assert(
      fc.property(count, count, count, count, sources, (context, window, threshold, turnsLeft, source) => {
        const { fill, mark, percent } = readGauge({
          isExempt: false,
          tokens: { ...TOKENS, context, window, threshold, source },
          turnsLeft,
        })
        for (const share of [fill, mark]) expect(share === null || (share >= 0 && share <= 1)).toBe(true)
        expect(percent).toMatch(/^(unknown|over 100 %|<1 %|\d{1,3} %)$/)
        if (context === null || window === null || source === 'unknown') expect(percent).toBe('unknown')
      }),
    )
  })
})
