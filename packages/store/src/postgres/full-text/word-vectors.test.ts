import { splitWords } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../../test/postgres/describe-with-postgres.ts'
import { writeQueries } from './word-queries.ts'
import { writeShortVector, writeVectors } from './word-vectors.ts'

describe('vectors', () => {
  it('note where each word stands', () => {
    expect(writeVectors('To be, or not to be')).toEqual([`'to':1,5 'be':2,6 'or':3 'not':4 `])
  })

  it('are none for a text without words', () => {
    expect(writeVectors(' … !')).toEqual([])
    expect(writeShortVector('')).toBe('')
  })
})

describeWithPostgres('vectors on the server', (database) => {
  it('are taken by it, whatever the text', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        for (const vector of writeVectors(text)) {
          const [row] = await database.query('select length($1::tsvector) as words', [vector])
          expect(row?.['words']).toBe(new Set(splitWords(text)).size)
        }
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['many different long words', Array.from({ length: 20_000 }, (_, index) => `${'ж'.repeat(60)}${index}`).join(' ')],
    ['one word very often', 'a '.repeat(200_000)],
    ['a script without spaces', '我昨天去了北京大学图书馆'.repeat(20_000)],
    ['letters that become many', '\uFDFA'.repeat(100_000)],
    ['no spaces at all', 'x'.repeat(1_000_000)],
  ])('are taken by it at any length: %s', async (_what, text) => {
    const vectors = writeVectors(text)
    expect(vectors.length).toBeGreaterThan(0)
    for (const vector of vectors) await database.query('select $1::tsvector', [vector])
  })

  it('find a phrase wherever it stands in a long text, across stretches too', async () => {
    const hay = Array.from({ length: 6_100 }, (_, index) => `w${index}`)
    const vectors = writeVectors(hay.join(' '))
    expect(vectors.length).toBeGreaterThan(1)
    for (const place of [0, 2_998, 2_999, 3_000, 5_998, 6_097]) {
      const [query] = writeQueries([hay.slice(place, place + 3)])
      const [row] = await database.query(
        'select count(*)::integer as found from unnest($1::text[]) vector where vector::tsvector @@ $2::tsquery',
        [vectors, query],
      )
      expect(row?.['found'], `the phrase at word ${place}`).toBeGreaterThan(0)
    }
  })
})
