import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveLimits } from './limits.ts'
import type { Limits, LimitsInput } from './limits.ts'
import { parsePolicy } from './parse-policy.ts'
import { PRESETS } from './presets.ts'
import type { PresetName } from './presets.ts'

const NAMES = Object.keys(PRESETS) as PresetName[]
const OUTPUTS = [4_096, 8_192, 64_000, 128_000]

function limitsOf(name: PresetName, input: LimitsInput): Limits {
  const limits = resolveLimits(PRESETS[name], input)
  if (limits === null) throw new Error('a known window has limits')
  return limits
}

/** Every combination of preset, window and output limit. */
function cases(windows: readonly number[]): { name: PresetName; windowTokens: number; maxOutputTokens: number }[] {
  return NAMES.flatMap((name) =>
    windows.flatMap((windowTokens) => OUTPUTS.map((maxOutputTokens) => ({ name, windowTokens, maxOutputTokens }))),
  )
}

function expectOrdered(limits: Limits): void {
  const { windowTokens, inputTokens, outputTokens, triggerTokens, flushTokens, prepareTokens, keepTokens } = limits
  expect(flushTokens).toBeGreaterThan(0)
  expect(flushTokens).toBeLessThanOrEqual(triggerTokens)
  expect(triggerTokens).toBeLessThanOrEqual(inputTokens)
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(windowTokens)
  expect(keepTokens).toBeLessThanOrEqual(Math.max(1, triggerTokens / 2))
  expect(prepareTokens ?? 0).toBeLessThanOrEqual(triggerTokens)
  const numbers = Object.values(limits).filter((value) => typeof value === 'number')
  expect(numbers.filter((value) => !Number.isSafeInteger(value))).toStrictEqual([])
}

describe('resolveLimits: large windows', () => {
  it.each(cases([128_000, 200_000, 400_000, 1_000_000]))(
    'LH-04 changes nothing in $name at $windowTokens with an output of $maxOutputTokens',
    ({ name, ...input }) => {
      expect(limitsOf(name, input).clamps).toStrictEqual([])
      expectOrdered(limitsOf(name, input))
    },
  )

  it('LH-04 changes no preset at any window from 128,000 on', () => {
    const windowTokens = fc.integer({ min: 128_000, max: 4_000_000 })
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), windowTokens, fc.option(fc.nat()), (name, window, maxOutputTokens) => {
        expect(limitsOf(name, { windowTokens: window, maxOutputTokens }).clamps).toStrictEqual([])
      }),
    )
  })

  it.each<[PresetName, number, Partial<Limits>]>([
    [
      'oneclaw',
      200_000,
      { triggerTokens: 170_000, keepTokens: 50_000, summaryOutputTokens: 2_048, prepareTokens: null },
    ],
    ['oneclaw', 128_000, { triggerTokens: 108_800, keepTokens: 32_000 }],
    ['openclaw', 200_000, { triggerTokens: 180_000, flushTokens: 176_000, keepTokens: 20_000 }],
    ['openclaw', 1_000_000, { triggerTokens: 980_000, flushTokens: 976_000, keepTokens: 20_000 }],
    ['openclaw', 128_000, { triggerTokens: 108_000, flushTokens: 104_000 }],
    ['micro', 200_000, { triggerTokens: 80_000, keepTokens: 40_000, toolResultMaxChars: 40_000 }],
    ['micro', 1_000_000, { triggerTokens: 80_000 }],
    ['spec008', 200_000, { triggerTokens: 180_000, flushTokens: 176_000, summaryOutputTokens: 1_024 }],
    ['longhaul', 200_000, { triggerTokens: 160_000, prepareTokens: 150_000, flushTokens: 146_000, keepTokens: 20_000 }],
    ['longhaul', 1_000_000, { triggerTokens: 800_000, prepareTokens: 750_000, pinTokens: 50_000 }],
  ])('ONE-10 OPEN-08 OPEN-11 MICRO-03 the numbers of %s at %i', (name, windowTokens, expected) => {
    expect(limitsOf(name, { windowTokens })).toMatchObject(expected)
  })

  it('OPEN-11 takes the larger of reserve and floor', () => {
    expect(triggerWith({ reserveTokens: 30_000 })).toBe(170_000)
    expect(triggerWith({ reserveTokens: 5_000 })).toBe(180_000)
    expect(triggerWith({ reserveTokensFloor: 40_000 })).toBe(160_000)
    expect(triggerWith({ reserveTokens: 18_000, reserveTokensFloor: 0 })).toBe(182_000)
  })
})

describe('resolveLimits: small windows', () => {
  it('LH-04 a threshold that a user sets lower moves the preparation with it', () => {
    const policy = parsePolicy(PRESETS.longhaul, { compaction: { triggerRatio: 0.5 } })
    const limits = resolveLimits(policy, { windowTokens: 200_000 })
    expect(limits).toMatchObject({ triggerTokens: 100_000, prepareTokens: 90_000, flushTokens: 86_000 })
    expect(limits?.clamps).toStrictEqual([{ key: 'compaction.prepareRatio', from: 150_000, to: 90_000 }])
  })

  it.each([
    [16_000, 2_000],
    [32_000, 4_000],
    [40_000, 5_000],
    [48_000, 6_000],
    [56_000, 4_900],
    [64_000, 3_200],
    [200_000, 10_000],
  ])('LH-04 LH-08 in %i tokens a summary is prepared so many tokens before its trigger', (windowTokens, lead) => {
    const { prepareTokens, triggerTokens } = limitsOf('longhaul', { windowTokens })
    expect(triggerTokens - (prepareTokens ?? 0)).toBe(lead)
  })

  it.each(cases([16_000, 48_000, 200_000]))(
    'LH-08 while a summary is under way the answer of $name gives up half of its room at $windowTokens',
    ({ name, ...input }) => {
      const { windowTokens, inputTokens, outputTokens, wallTokens } = limitsOf(name, input)
      expect(wallTokens).toBeGreaterThanOrEqual(inputTokens)
      expect(windowTokens - wallTokens).toBe(Math.ceil(outputTokens / 2))
    },
  )

  it.each(cases([4_000, 8_000, 16_000, 32_000, 64_000]))(
    'LH-04 keeps the thresholds of $name in order at $windowTokens with an output of $maxOutputTokens',
    ({ name, ...input }) => {
      const limits = limitsOf(name, input)
      expectOrdered(limits)
      expect(limits.triggerTokens).toBeGreaterThan(input.windowTokens / 2)
      expect(limits.summaryInputTokens).toBeLessThan(input.windowTokens)
      expect(limits.summaryOutputTokens).toBeLessThanOrEqual(limits.triggerTokens / 4)
    },
  )

  it('LH-04 shows each clamp with what it was and what it became', () => {
    const limits = limitsOf('openclaw', { windowTokens: 16_000, maxOutputTokens: 4_000 })
    expect(limits).toMatchObject({
      outputTokens: 4_000,
      inputTokens: 12_000,
      triggerTokens: 11_840,
      flushTokens: 8_880,
      keepTokens: 5_920,
      summaryOutputTokens: 2_960,
      bootstrapMaxChars: 8_000,
      toolResultMaxChars: 16_000,
    })
    expect(limits.clamps).toStrictEqual([
      { key: 'compaction.reserveTokens', from: 20_000, to: 4_000 },
      { key: 'compaction.trigger', from: 12_000, to: 11_840 },
      { key: 'compaction.maxOutputTokens', from: 4_096, to: 2_960 },
      { key: 'compaction.memoryFlush.softThresholdTokens', from: 4_000, to: 2_960 },
      { key: 'compaction.keepRecentTokens', from: 20_000, to: 5_920 },
      { key: 'bootstrapMaxChars', from: 20_000, to: 8_000 },
      { key: 'toolResults.maxChars', from: 30_000, to: 16_000 },
    ])
  })

  it('LH-04 keeps a fixed trigger below what the window takes', () => {
    const limits = limitsOf('micro', { windowTokens: 32_000, maxOutputTokens: 4_096 })
    expect(limits.triggerTokens).toBe(32_000 - 4_096 - 320)
    expect(limits.clamps).toContainEqual({ key: 'compaction.trigger', from: 80_000, to: 27_584 })
  })

  it('LH-04 keeps the order at every window', () => {
    const input = fc.record({
      windowTokens: fc.integer({ min: 1, max: 2_000_000 }),
      maxOutputTokens: fc.option(fc.nat({ max: 200_000 })),
      maxInputTokens: fc.option(fc.nat({ max: 2_000_000 })),
      summaryWindowTokens: fc.option(fc.integer({ min: 1, max: 2_000_000 })),
    })
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), input, (name, sizes) => {
        const limits = limitsOf(name, sizes)
        expectOrdered(limits)
        const summaryWindow = sizes.summaryWindowTokens ?? sizes.windowTokens
        expect(limits.summaryInputTokens).toBeGreaterThan(0)
        expect(limits.summaryInputTokens).toBeLessThanOrEqual(summaryWindow)
        for (const { from, to } of limits.clamps) expect(to).toBeLessThan(from)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('resolveLimits: what models say', () => {
  it('reserves what a model can answer, at most 16,000, a quarter of the window, and beyond 8,000 an eighth', () => {
    expect(reservedFor(200_000, 4_096)).toBe(4_096)
    expect(reservedFor(200_000, 64_000)).toBe(16_000)
    expect(reservedFor(200_000, null)).toBe(8_192)
    expect(reservedFor(8_000, 64_000)).toBe(2_000)
    expect(reservedFor(32_000, 64_000)).toBe(8_000)
    expect(reservedFor(64_000, 64_000)).toBe(8_000)
    expect(reservedFor(100_000, 64_000)).toBe(12_500)
    expect(reservedFor(128_000, 64_000)).toBe(16_000)
  })

  it('LH-04 stays below the input limit of a model that has one', () => {
    const limits = limitsOf('openclaw', { windowTokens: 400_000, maxInputTokens: 272_000, maxOutputTokens: 128_000 })
    expect(limits.inputTokens).toBe(272_000)
    expect(limits.triggerTokens).toBe(268_000)
    expect(limits.clamps).toStrictEqual([{ key: 'compaction.trigger', from: 380_000, to: 268_000 }])
  })

  it('LH-04 gives a summary model no more than its window', () => {
    expect(limitsOf('spec008', { windowTokens: 1_000_000, summaryWindowTokens: 200_000 }).summaryInputTokens).toBe(
      200_000 - 1_024 - 1_500,
    )
    expect(limitsOf('longhaul', { windowTokens: 200_000 }).summaryInputTokens).toBe(200_000 - 4_096 - 1_500)
  })

  it('ONE-15 knows no limits while the window is unknown', () => {
    expect(resolveLimits(PRESETS.oneclaw, { windowTokens: null })).toBeNull()
  })
})

function triggerWith(compaction: object): number | undefined {
  return resolveLimits(parsePolicy(PRESETS.openclaw, { compaction }), { windowTokens: 200_000 })?.triggerTokens
}

function reservedFor(windowTokens: number, maxOutputTokens: number | null): number {
  return limitsOf('longhaul', { windowTokens, maxOutputTokens }).outputTokens
}
