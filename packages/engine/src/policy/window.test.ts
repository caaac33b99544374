import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextPolicy } from './policy.ts'
import { PRESETS } from './presets.ts'
import type { PresetName } from './presets.ts'
import { guardWindow, resolveWindow } from './window.ts'
import type { EffectiveWindow, WindowSources } from './window.ts'

const NAMES = Object.keys(PRESETS) as PresetName[]

function capped(contextTokens: number | null, name: PresetName = 'longhaul'): ContextPolicy {
  return { ...PRESETS[name], contextTokens }
}

describe('resolveWindow', () => {
  it.each<[string, WindowSources, number | null, EffectiveWindow]>([
    ['the registry alone', { registry: 200_000 }, null, { tokens: 200_000, source: 'registry' }],
    ['a larger override', { registry: 200_000, override: 400_000 }, null, { tokens: 400_000, source: 'override' }],
    ['a smaller override', { registry: 200_000, override: 64_000 }, null, { tokens: 64_000, source: 'override' }],
    [
      'an override where the registry knows nothing',
      { registry: null, override: 8_000 },
      null,
      { tokens: 8_000, source: 'override' },
    ],
    ['a smaller contextTokens', { registry: 200_000 }, 50_000, { tokens: 50_000, source: 'contextTokens' }],
    ['a larger contextTokens', { registry: 200_000 }, 500_000, { tokens: 200_000, source: 'registry' }],
    ['contextTokens alone', { registry: null }, 50_000, { tokens: 50_000, source: 'contextTokens' }],
    ['a smaller learnt window', { registry: 200_000, learnt: 131_072 }, null, { tokens: 131_072, source: 'learnt' }],
    ['a larger learnt window', { registry: 200_000, learnt: 400_000 }, null, { tokens: 200_000, source: 'registry' }],
    [
      'a learnt window below an override',
      { registry: null, override: 99_000, learnt: 9_000 },
      null,
      { tokens: 9_000, source: 'learnt' },
    ],
    ['a learnt window alone', { registry: null, learnt: 9_000 }, null, { tokens: 9_000, source: 'learnt' }],
    [
      'a learnt window that was cleared',
      { registry: 200_000, learnt: null },
      null,
      { tokens: 200_000, source: 'registry' },
    ],
    [
      'the smallest of three',
      { registry: 200_000, override: 100_000, learnt: 90_000 },
      80_000,
      { tokens: 80_000, source: 'contextTokens' },
    ],
    [
      'a tie of all: who states it',
      { registry: 9, override: 100_000, learnt: 100_000 },
      100_000,
      { tokens: 100_000, source: 'override' },
    ],
    ['a tie of registry and contextTokens', { registry: 100_000 }, 100_000, { tokens: 100_000, source: 'registry' }],
    [
      'a tie of contextTokens and learnt',
      { registry: null, learnt: 100_000 },
      100_000,
      { tokens: 100_000, source: 'contextTokens' },
    ],
    ['a fraction', { registry: 1_000.9 }, null, { tokens: 1_000, source: 'registry' }],
  ])('OPEN-03 decides by %s', (_, sources, contextTokens, window) => {
    expect(resolveWindow(sources, capped(contextTokens))).toStrictEqual(window)
  })

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('takes a window of %d for no word on it', (tokens) => {
    const sources = { registry: tokens, override: tokens, learnt: tokens }
    expect(resolveWindow(sources, PRESETS.oneclaw)).toStrictEqual({ tokens: null, source: 'unknown' })
    expect(resolveWindow({ ...sources, learnt: 9_000 }, PRESETS.oneclaw)).toStrictEqual({
      tokens: 9_000,
      source: 'learnt',
    })
  })

  it('OPEN-03 lets an override of null hide what the registry says', () => {
    expect(resolveWindow({ registry: 200_000, override: null }, PRESETS.oneclaw)).toStrictEqual({
      tokens: null,
      source: 'unknown',
    })
  })

  it.each(NAMES)('LH-05 an unknown window under %s', (name) => {
    const expected = name === 'oneclaw' ? { tokens: null, source: 'unknown' } : { tokens: 200_000, source: 'assumed' }
    expect(resolveWindow({ registry: null }, PRESETS[name])).toStrictEqual(expected)
    expect(resolveWindow({ registry: 200_000, override: null, learnt: null }, PRESETS[name])).toStrictEqual(expected)
  })

  it('OPEN-03 is never larger than anything that was said', () => {
    const tokens = fc.option(fc.integer({ min: 1, max: 2_000_000 }))
    fc.assert(
      fc.property(tokens, tokens, tokens, (registry, learnt, contextTokens) => {
        const said = [registry, learnt, contextTokens].filter((value) => value !== null)
        const window = resolveWindow({ registry, learnt }, capped(contextTokens))
        expect(window.tokens).toBe(said.length === 0 ? 200_000 : Math.min(...said))
      }),
    )
  })
})

describe('guardWindow', () => {
  const REFUSING: readonly PresetName[] = ['openclaw', 'spec008']

  it.each(NAMES.flatMap((name) => [1, 4_000, 15_999].map((tokens) => ({ name, tokens }))))(
    'OPEN-03 $tokens tokens under $name: refused or warned about',
    ({ name, tokens }) => {
      const guard = guardWindow({ tokens, source: 'registry' }, PRESETS[name])
      expect(guard.verdict).toBe(REFUSING.includes(name) ? 'refuse' : 'warn')
      expect(guard.message).toContain(String(tokens))
    },
  )

  it.each(NAMES.flatMap((name) => [16_000, 16_001, 31_999].map((tokens) => ({ name, tokens }))))(
    'OPEN-03 $tokens tokens under $name: a warning',
    ({ name, tokens }) => {
      expect(guardWindow({ tokens, source: 'registry' }, PRESETS[name]).verdict).toBe('warn')
    },
  )

  it.each(NAMES.flatMap((name) => [32_000, 200_000].map((tokens) => ({ name, tokens }))))(
    'OPEN-03 $tokens tokens under $name: nothing to say',
    ({ name, tokens }) => {
      expect(guardWindow({ tokens, source: 'registry' }, PRESETS[name])).toStrictEqual({ verdict: 'ok', message: null })
    },
  )

  it('OPEN-03 says why it refuses and what to change', () => {
    expect(guardWindow({ tokens: 8_000, source: 'contextTokens' }, PRESETS.openclaw).message).toBe(
      'The context window is 8000 tokens (from contextTokens); this preset needs at least 16000. Choose a larger model, raise the limit that made it so small, or use another preset.',
    )
    expect(guardWindow({ tokens: 8_000, source: 'learnt' }, PRESETS.longhaul).message).toBe(
      'The context window is 8000 tokens (learnt from an error of the endpoint); below 32000 a conversation is summarised often. A larger model would keep more of it.',
    )
  })

  it('lets an unknown window pass', () => {
    expect(guardWindow({ tokens: null, source: 'unknown' }, PRESETS.openclaw)).toStrictEqual({
      verdict: 'ok',
      message: null,
    })
  })
})
