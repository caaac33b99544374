import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { EMPTY_CHAIN, chainHash, extendChain, hashText } from './hash.ts'

function hashAll(...texts: readonly string[]): string {
  return chainHash(texts.reduce(extendChain, EMPTY_CHAIN))
}

describe('extendChain', () => {
  it('writes 16 hexadecimal digits, the same ones for the same texts', () => {
    expect(hashAll()).toBe('811c9dc59747b28c')
    fc.assert(
      fc.property(fc.array(arbitraryText(), { maxLength: 4 }), (texts) => {
        expect(hashAll(...texts)).toMatch(/^[0-9a-f]{16}$/)
        expect(hashAll(...texts)).toBe(hashAll(...texts))
      }),
    )
  })

  it('keeps to the digits that stored anchors rest on', () => {
    expect(hashText('')).toBe('1a0c7e2e9d6de26f')
    expect(hashText('longhaul')).toBe('31b1e5125a5b9753')
    expect(hashAll('environment', 'm1', 'm2')).toBe('49e329ead40d158a')
  })

  it('can be continued where it stopped', () => {
    const prefix = ['a', 'b'].reduce(extendChain, EMPTY_CHAIN)
    expect(chainHash(extendChain(prefix, 'c'))).toBe(hashAll('a', 'b', 'c'))
    expect(hashText('a')).toBe(hashAll('a'))
  })

  it.each([
    ['the order', ['a', 'b'], ['b', 'a']],
    ['where one text ends', ['ab', 'c'], ['a', 'bc']],
    ['whether there are two texts', ['a', 'b'], ['ab']],
    ['an empty text', ['a', ''], ['a']],
    ['an empty text in front', ['', 'a'], ['a']],
    ['the separator in a text', ['a', 'b'], ['a\u001fb']],
    ['zero characters', ['a\u0000'], ['a']],
    ['one code unit', ['😀'], ['😁']],
    ['a trailing space', ['m1'], ['m1 ']],
  ])('depends on %s', (_, one, other) => {
    expect(hashAll(...one)).not.toBe(hashAll(...other))
  })

  it('meets no collision among many short keys', () => {
    const hashes = new Set<string>()
    for (let index = 0; index < 50_000; index += 1) hashes.add(hashText(`m${index}`))
    expect(hashes.size).toBe(50_000)
  })

  it('tells different lists of texts apart', () => {
    const texts = fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 })
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(hashAll(...one) === hashAll(...other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 2_000 },
    )
  })
})
