import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { shortenEnd, shortenMiddle } from './shorten.ts'

describe('shortenEnd', () => {
  it('cuts what is too long and shows that it did', () => {
    expect(shortenEnd('abcdef', 4)).toBe('abcd…')
    expect(shortenEnd('abcd', 4)).toBe('abcd')
    expect(shortenEnd('abcd', undefined)).toBe('abcd')
    expect(shortenEnd('abcd', 0)).toBe('…')
    expect(shortenEnd('abc😀def', 4)).toBe('abc…')
  })

  it('never makes a text longer', () => {
    fc.assert(
      fc.property(arbitraryText(), fc.nat({ max: 300 }), (text, maxChars) => {
        expect(shortenEnd(text, maxChars).length).toBeLessThanOrEqual(Math.min(text.length, maxChars + 1))
      }),
    )
  })
})

describe('shortenMiddle', () => {
  it('MICRO-07 keeps head and tail and says how much is missing', () => {
    const text = `${'h'.repeat(500)}${'m'.repeat(1_300)}${'t'.repeat(200)}`
    expect(shortenMiddle(text, 700, 500, 200)).toBe(
      `${'h'.repeat(500)}\n[… 1300 characters left out …]\n${'t'.repeat(200)}`,
    )
  })

  it('MICRO-07 leaves a text of exactly the limit alone', () => {
    const text = 'x'.repeat(700)
    expect(shortenMiddle(text, 700, 500, 200)).toBe(text)
    expect(shortenMiddle(text, 700, 10, 10)).toBe(text)
    expect(shortenMiddle(text, 699, 10, 10)).toHaveLength(51)
  })

  it('leaves a text alone that the note would make longer', () => {
    expect(shortenMiddle('x'.repeat(701), 700, 500, 200)).toBe('x'.repeat(701))
    expect(shortenMiddle('x'.repeat(730), 700, 500, 200)).toBe('x'.repeat(730))
    expect(shortenMiddle('x'.repeat(731), 700, 500, 200)).toHaveLength(730)
  })

  it('counts what a spared emoji took with it', () => {
    const text = `ab😀${'m'.repeat(100)}😀yz`
    expect(shortenMiddle(text, 50, 3, 3)).toBe('ab\n[… 104 characters left out …]\nyz')
  })

  it('never makes a text longer, whatever the numbers', () => {
    const chars = fc.nat({ max: 400 })
    fc.assert(
      fc.property(arbitraryText(), chars, chars, chars, (text, maxChars, headChars, tailChars) => {
        const shortened = shortenMiddle(text, maxChars, headChars, tailChars)
        expect(shortened.length).toBeLessThanOrEqual(text.length)
        expect(text.length > maxChars || shortened === text).toBe(true)
      }),
    )
  })
})
