import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryText, arbitraryUtf16 } from '../testing/arbitrary-conversation.ts'
import { sliceHead, sliceTail } from './slice-text.ts'

const anyText = fc.oneof(arbitraryText(), arbitraryUtf16())

describe('sliceHead and sliceTail', () => {
  it.each([
    ['hello', 3, 'hel', 'llo'],
    ['hello', 5, 'hello', 'hello'],
    ['hello', 9, 'hello', 'hello'],
    ['hello', 0, '', ''],
    ['hello', -4, '', ''],
    ['hello', 2.9, 'he', 'lo'],
    ['hello', Number.POSITIVE_INFINITY, 'hello', 'hello'],
    ['', 3, '', ''],
  ])('cut %j at %d', (text, maxChars, head, tail) => {
    expect([sliceHead(text, maxChars), sliceTail(text, maxChars)]).toStrictEqual([head, tail])
  })

  it('take nothing where the limit is not a number', () => {
    expect([sliceHead('hello', Number.NaN), sliceTail('hello', Number.NaN)]).toStrictEqual(['', ''])
  })

  it('leave out a whole emoji rather than half of it', () => {
    expect(sliceHead('a😀b', 2)).toBe('a')
    expect(sliceHead('a😀b', 3)).toBe('a😀')
    expect(sliceTail('a😀b', 2)).toBe('b')
    expect(sliceTail('a😀b', 3)).toBe('😀b')
  })

  it.each(['\u{10000}', '\u{10ffff}', '\u{103ff}', '\u{10fc00}'])(
    'spare the first and the last pair there is: %j',
    (pair) => {
      expect([sliceHead(`a${pair}`, 2), sliceTail(`${pair}b`, 2)]).toStrictEqual(['a', 'b'])
    },
  )

  it('take lone surrogates for characters', () => {
    expect(sliceHead('\ud83d\ud83d\ude00', 1)).toBe('\ud83d')
    expect(sliceTail('\ud83d\ude00\ude00', 1)).toBe('\ude00')
  })

  it('never split a pair, never take more than asked for, and one character less at most', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 200 }), (text, maxChars) => {
        const head = sliceHead(text, maxChars)
        const tail = sliceTail(text, maxChars)
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
        const asked = Math.min(maxChars, text.length)
        expect(asked - head.length === 0 || asked - head.length === 1).toBe(true)
        expect(asked - tail.length === 0 || asked - tail.length === 1).toBe(true)
        expect(splits(head, text.slice(head.length))).toBe(false)
        expect(splits(text.slice(0, text.length - tail.length), tail)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('keep well-formed text well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 30 }), (text, maxChars) => {
        expect(sliceHead(text, maxChars).isWellFormed() && sliceTail(text, maxChars).isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

/** Whether two pieces that belong together end and begin with the halves of a pair. */
function splits(before: string, after: string): boolean {
  return /[\ud800-\udbff]$/.test(before) && /^[\udc00-\udfff]/.test(after)
}
