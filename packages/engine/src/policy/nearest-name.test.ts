import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNearestName } from './nearest-name.ts'

const KNOWN = ['triggerRatio', 'triggerTokens', 'reserveTokens', 'keepRatio', 'ttl']

describe('findNearestName', () => {
  it.each([
    ['triggerRatoi', 'triggerRatio'],
    ['TRIGGERRATIO', 'triggerRatio'],
    ['trigerTokens', 'triggerTokens'],
    ['tll', 'ttl'],
    ['tlt', 'ttl'],
    ['keepRatios', 'keepRatio'],
    ['banana', undefined],
    ['x', undefined],
    ['', undefined],
    ['triggerRatio'.repeat(10), undefined],
  ])('%j most likely meant %j', (name, meant) => {
    expect(findNearestName(name, KNOWN)).toBe(meant)
  })

  it('takes the first of two that are as near', () => {
    expect(findNearestName('bat', ['cat', 'hat'])).toBe('cat')
    expect(findNearestName('bat', [])).toBeUndefined()
  })

  it('knows each name as itself, and answers only known names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 })), fc.string(), (known, name) => {
        const nearest = findNearestName(name, known)
        expect([undefined, ...known]).toContain(nearest)
        expect(!known.includes(name) || nearest?.toLowerCase() === name.toLowerCase()).toBe(true)
      }),
    )
  })
})
