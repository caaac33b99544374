import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasWords, isUnspaced, splitWords } from './split-words.ts'

describe('splitWords', () => {
  it('lowers case and leaves accents out', () => {
    expect(splitWords('Ein Café in ZÜRICH, señor!')).toEqual(['ein', 'cafe', 'in', 'zurich', 'senor'])
    expect(splitWords('cafe\u0301 İstanbul ΑΘΉΝΑ שָׁלוֹם مَرْحَبًا')).toEqual(['cafe', 'istanbul', 'αθηνα', 'שלום', 'مرحبا'])
  })

  it('keeps letters and digits together and splits at everything else', () => {
    expect(splitWords('read_file(store.sessions), v2 3.14')).toEqual([
      'read',
      'file',
      'store',
      'sessions',
      'v2',
      '3',
      '14',
    ])
    expect(splitWords('ＦＵＬＬ ﬁle ① ℃')).toEqual(['full', 'file', '1', 'c'])
  })

  it('splits scripts without spaces into characters', () => {
    expect(splitWords('東京タワー')).toEqual(['東', '京', 'タ', 'ワ', 'ー'])
    expect(splitWords('iPhone手机 第3章')).toEqual(['iphone', '手', '机', '第', '3', '章'])
    expect(splitWords('𠀀𠀁')).toEqual(['𠀀', '𠀁'])
  })

  it('keeps marks that make another word', () => {
    expect(splitWords('ガス')).toEqual(['ガ', 'ス'])
    expect(splitWords('ｶﾞｽ')).toEqual(['ガ', 'ス'])
    expect(splitWords('ดี')).toEqual(['ดี'])
    expect(splitWords('हिन्दी में')).toEqual(['हिन्दी', 'में'])
    expect(splitWords('서울')).toEqual(['서울'])
  })

  it('finds nothing where there is no word', () => {
    for (const text of ['', ' \n', '"*():-', '🦊…', '\u0301', '\u0000', '\ud800']) {
      expect(splitWords(text)).toEqual([])
      expect(hasWords(text)).toBe(false)
    }
    expect(hasWords(`${'-'.repeat(5_000)}a`)).toBe(true)
  })

  it('bounds words and texts', () => {
    expect(splitWords('x'.repeat(1_000))).toEqual(['x'.repeat(64)])
    expect(splitWords(`a${'𐌰'.repeat(100)}`)[0]?.isWellFormed()).toBe(true)
    expect(splitWords('word '.repeat(100_000)).length).toBe(40_000)
  })

  it('splits what it has split to the same words again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const words = splitWords(text)
        expect(splitWords(words.join(' '))).toEqual(words)
        expect(words.every((word) => word !== '' && !/\s/u.test(word))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('isUnspaced', () => {
  it('knows the scripts that write no spaces', () => {
    for (const word of ['東', 'か', 'ー', 'ไ', 'ລ', 'ខ', 'မ']) expect(isUnspaced(word)).toBe(true)
    for (const word of ['a', '3', 'я', '서', 'ש', 'ह']) expect(isUnspaced(word)).toBe(false)
  })
})
