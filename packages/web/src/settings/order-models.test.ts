import type { Model } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { describeModel, explainUnavailable, orderModels } from './order-models.ts'

const model = (id: string, available: boolean): Model => ({ id, available, contextWindow: 200_000, maxOutput: 8_192 })

describe('the choice of a model', () => {
  it('tells those that can be used from those that cannot', () => {
    const { available, unavailable } = orderModels([model('z/z', true), model('b/b', false), model('a/a', true)])
    expect(available.map(({ id }) => id)).toEqual(['a/a', 'z/z'])
    expect(unavailable.map(({ id }) => id)).toEqual(['b/b'])
  })

  it('ONE-01 says windows and prices, and where nobody knows them', () => {
    const price = { input: 3, output: 15, cacheRead: null, cacheWrite: null }
    expect(describeModel({ contextWindow: 200_000, price })).toBe(
      'window of 200k tokens, $3 in and $15 out per million tokens',
    )
    expect(describeModel({ contextWindow: null })).toBe('window unknown, price unknown')
    expect(describeModel({ contextWindow: 32_768, price: { ...price, input: 0, output: 0 } })).toBe(
      'window of 32.8k tokens, free',
    )
  })

  it('says what a provider lacks', () => {
    expect(explainUnavailable('anthropic/claude')).toContain('ANTHROPIC_API_KEY')
    expect(explainUnavailable('local/llama')).toContain('The provider local is not configured')
  })
})
