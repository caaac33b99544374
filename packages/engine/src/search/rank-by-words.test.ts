import { describe, expect, it } from 'vitest'
import { countPhrase, rankByWords } from './rank-by-words.ts'

const text = (id: string, words: string) => ({ id, words: words.split(' ') })
const ids = (texts: Parameters<typeof rankByWords>[0], ...phrases: readonly string[]) =>
  rankByWords(
    texts,
    phrases.map((phrase) => phrase.split(' ')),
  ).map((found) => ('id' in found ? found.id : ''))

describe('rankByWords', () => {
  it('leaves out what holds none of the phrases', () => {
    expect(ids([text('a', 'one two'), text('b', 'three')], 'three')).toEqual(['b'])
    expect(ids([text('a', 'one')])).toEqual([])
    expect(ids([], 'one')).toEqual([])
  })

  it('puts rare words before common ones', () => {
    const texts = [text('common', 'the the the'), text('rare', 'the walrus is'), text('other', 'the sea is')]
    expect(ids(texts, 'the', 'walrus')[0]).toBe('rare')
  })

  it('puts more of a word before less, and short before long', () => {
    expect(ids([text('once', 'walrus a b c'), text('twice', 'walrus walrus b c')], 'walrus')).toEqual(['twice', 'once'])
    expect(ids([text('long', 'walrus a b c d e f g'), text('short', 'walrus a')], 'walrus')).toEqual(['short', 'long'])
  })
})

describe('countPhrase', () => {
  it('counts words that stand next to each other', () => {
    expect(countPhrase(['a', 'b', 'a', 'b', 'c'], ['a', 'b'])).toBe(2)
    expect(countPhrase(['a', 'a', 'b'], ['a', 'b'])).toBe(1)
    expect(countPhrase(['b', 'a'], ['a', 'b'])).toBe(0)
    expect(countPhrase(['a'], ['a', 'b'])).toBe(0)
    expect(countPhrase([], ['a'])).toBe(0)
    expect(countPhrase(['a'], [])).toBe(0)
  })
})
