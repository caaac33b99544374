import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateField } from '../../tokens/estimate-message.ts'
import { groupParts } from './merge-parts.ts'

test('OPEN-13 groups keep the order, fit a call, and are fewer than the parts', () => {
  const parts = fc.array(fc.string({ minLength: 1, maxLength: 400 }), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(parts, fc.integer({ min: 20, max: 300 }), (texts, maxTokens) => {
      const groups = groupParts(texts, maxTokens, 'plain')
      expect(groups.flat()).toHaveLength(texts.length)
      const fits = texts.filter((text) => estimateField(text, 'plain') <= Math.floor(maxTokens / 2))
      expect(groups.flat()).toEqual(expect.arrayContaining(fits))
      for (const group of groups) {
        const tokens = group.reduce((sum, text) => sum + estimateField(text, 'plain'), 0)
        expect(tokens).toBeLessThanOrEqual(maxTokens)
      }
      expect(groups.length).toBeLessThan(texts.length)
    }),
  )
})
