import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuery } from './read-query.ts'
import { splitWords } from './split-words.ts'

const texts = (query: string) => readQuery(query).map((phrase) => phrase.join(' '))

describe('readQuery', () => {
  it('asks for each word once', () => {
    expect(readQuery('Ferry "harbour" AND ferry*')).toEqual([['ferry'], ['harbour'], ['and']])
    expect(readQuery('read_file')).toEqual([['read'], ['file']])
  })

  it('asks for a run of a script without spaces as a whole', () => {
    expect(texts('東京')).toEqual(['東 京'])
    expect(texts('タワー')).toEqual(['タ ワ ー'])
    expect(texts('iPhone手机')).toContain('手 机')
  })

  it('asks for the words inside a longer run too, not for its single characters', () => {
    const asked = texts('请问北京大学在哪里？')
    expect(asked).toContain('北 京')
    expect(asked).toContain('大 学')
    expect(asked.every((phrase) => phrase.includes(' '))).toBe(true)
  })

  it('asks for nothing where there is no word', () => {
    for (const query of ['', '  ', '"*(', '\u0000', '🦊']) expect(readQuery(query)).toEqual([])
  })

  it('asks for a bounded number of phrases, made of words as they are indexed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        const phrases = readQuery(query)
        expect(phrases.length).toBeLessThanOrEqual(32)
        expect(phrases.every((phrase) => phrase.length > 0)).toBe(true)
        const words = new Set(splitWords(query))
        expect(phrases.flat().every((word) => words.has(word))).toBe(true)
      }),
    )
    expect(readQuery(Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(' ')).length).toBe(32)
    expect(readQuery('漢字'.repeat(100_000)).length).toBeLessThanOrEqual(32)
  })
})
