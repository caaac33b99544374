import type { ContextReport } from '@longhaul/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planLayers } from './plan-layers.ts'

const KINDS = ['system', 'file', 'tools', 'summary', 'pin', 'user', 'assistant', 'tool-call', 'tool-result'] as const

function item(kind: (typeof KINDS)[number], tokens: number): ContextReport['items'][number] {
  return { id: `${kind}:${tokens}`, kind, label: kind, tokens, chars: tokens * 4, state: 'verbatim' }
}

const REPORT: ContextReport = {
  model: 'offline/extractive',
  window: 1_000,
  used: 400,
  source: 'reported',
  threshold: 800,
  items: [item('system', 50), item('user', 100), item('assistant', 50)],
}

describe('the layers of the window', () => {
  it('fill the window: what is used, what is free until the threshold, what lies beyond it', () => {
    const { layers, mark, overTokens } = planLayers(REPORT)
    expect(layers.map(({ id, tokens }) => [id, tokens])).toEqual([
      ['system', 100],
      ['messages', 300],
      ['free', 400],
      ['reserve', 200],
    ])
    expect({ mark, overTokens }).toEqual({ mark: 0.8, overTokens: 0 })
  })

  it('show what is in it where the window is unknown', () => {
    const { layers, wholeTokens, mark } = planLayers({ ...REPORT, window: null, threshold: null, used: null })
    expect(layers.map(({ id }) => id)).toEqual(['system', 'messages'])
    expect({ wholeTokens, mark }).toEqual({ wholeTokens: 200, mark: null })
  })

  it('say how much does not fit', () => {
    expect(planLayers({ ...REPORT, used: 1_500 })).toMatchObject({ overTokens: 500, wholeTokens: 1_500 })
  })

  it('always add up to the whole bar', () => {
    const count = fc.option(fc.integer({ min: 1, max: 2_000_000 }), { nil: null })
    const items = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(50_000)), { minLength: 1 })
    fc.assert(
      fc.property(count, count, count, items, (window, used, threshold, sizes) => {
        fc.pre(sizes.some(([, tokens]) => tokens > 0))
        const report = { ...REPORT, window, used, threshold, items: sizes.map(([kind, tokens]) => item(kind, tokens)) }
        const { layers } = planLayers(report)
        expect(layers.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6)
        expect(layers.every(({ tokens }) => tokens >= 0)).toBe(true)
      }),
    )
  })
})
