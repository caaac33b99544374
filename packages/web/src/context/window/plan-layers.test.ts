import type { ContextItem } from '@longhaul/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planLayers } from './plan-layers.ts'
import { scaleItems } from './scale-items.ts'

const KINDS = ['system', 'file', 'tools', 'summary', 'pin', 'user', 'assistant', 'tool-call', 'tool-result'] as const

function item(kind: ContextItem['kind'], tokens: number, state: ContextItem['state'] = 'verbatim'): ContextItem {
  return { id: `${kind}:${tokens}`, kind, label: kind, tokens, chars: tokens * 4, state }
}

const ITEMS = [item('system', 100), item('user', 200), item('assistant', 100), item('tool-result', 90, 'left-out')]
const LIMITS = { window: 1_000, threshold: 800 }

describe('the layers of the window', () => {
  it('fill the window: what is used, what is free until the threshold, what lies beyond it', () => {
    const { layers, mark, overTokens } = planLayers(ITEMS, LIMITS)
    expect(layers.map(({ id, tokens }) => [id, tokens])).toEqual([
      ['system', 100],
      ['messages', 300],
      ['free', 400],
      ['reserve', 200],
    ])
    expect({ mark, overTokens }).toEqual({ mark: 0.8, overTokens: 0 })
  })

  it('show what is in it where the window is unknown', () => {
    const { layers, mark } = planLayers(ITEMS, { window: null, threshold: null })
    expect(layers.map(({ id, share }) => [id, share])).toEqual([
      ['system', 0.25],
      ['messages', 0.75],
    ])
    expect(mark).toBeNull()
  })

  it('say how much does not fit', () => {
    expect(planLayers([item('user', 1_500)], LIMITS).overTokens).toBe(500)
  })

  it('always add up to the whole bar', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 2_000_000 }), { nil: null })
    const sizes = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.integer({ min: 1, max: 50_000 })), { minLength: 1 })
    fc.assert(
      fc.property(limit, limit, sizes, (window, threshold, all) => {
        const items = all.map(([kind, tokens]) => item(kind, tokens))
        const { layers } = planLayers(items, { window, threshold })
        expect(layers.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6)
        expect(layers.every(({ tokens }) => tokens >= 0)).toBe(true)
      }),
    )
  })
})

describe('the items of the window', () => {
  it('add up to what the provider reported', () => {
    const scaled = scaleItems({ items: ITEMS, used: 800 })
    expect(scaled.map(({ tokens }) => tokens)).toEqual([200, 400, 200, 180])
  })

  it('stay as they are where nobody knows the total', () => {
    expect(scaleItems({ items: ITEMS, used: null })).toEqual(ITEMS)
    expect(scaleItems({ items: [item('user', 0)], used: 10 })).toEqual([item('user', 0)])
  })
})
