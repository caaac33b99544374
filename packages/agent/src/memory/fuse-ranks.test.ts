import type { MemoryHit } from '@longhaul/store/port'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuseRanks } from './fuse-ranks.ts'

function hit(text: string, score = 0): MemoryHit {
  return { document: 'MEMORY.md', line: 1, kind: 'note', updatedAt: 0, text, score }
}

const textsOf = (hits: readonly MemoryHit[]): readonly string[] => hits.map(({ text }) => text)
const hits = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 })
  .map((texts) => texts.map((text) => hit(text)))

describe('fuseRanks', () => {
  it('puts what both lists have before what one has', () => {
    const fused = fuseRanks([
      [hit('words only', 9), hit('both', 8)],
      [hit('both', 0.5), hit('meaning only', 0.4)],
    ])
    expect(fused).toEqual([hit('both', 1 / 62 + 1 / 61), hit('words only', 1 / 61), hit('meaning only', 1 / 62)])
  })

  it('tells the same words in two places apart', () => {
    const elsewhere = { ...hit('tea'), line: 2 }
    expect(fuseRanks([[hit('tea')], [elsewhere]])).toHaveLength(2)
  })

  it('leaves one list as it is', () => {
    fc.assert(
      fc.property(hits, (list) => {
        expect(textsOf(fuseRanks([list]))).toEqual(textsOf(list))
        expect(textsOf(fuseRanks([list, []]))).toEqual(textsOf(list))
        expect(textsOf(fuseRanks([list, list]))).toEqual(textsOf(list))
      }),
    )
  })

  it('has each once, best first, and what is first everywhere first', () => {
    fc.assert(
      fc.property(hits, hits, (first, second) => {
        const fused = fuseRanks([first, second])
        expect(textsOf(fused).toSorted()).toEqual([...new Set([...textsOf(first), ...textsOf(second)])].toSorted())
        const scores = fused.map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((one, other) => other - one))
        if (first[0] !== undefined && first[0].text === second[0]?.text) expect(fused[0]?.text).toBe(first[0].text)
      }),
    )
  })

  it('puts nothing before the best of the first list but what both lists have', () => {
    fc.assert(
      fc.property(hits, hits, (first, second) => {
        fc.pre(first.length > 0)
        const fused = textsOf(fuseRanks([first, second]))
        const before = fused.slice(0, fused.indexOf(first[0]?.text ?? ''))
        for (const lists of [first, second]) expect(textsOf(lists)).toEqual(expect.arrayContaining([...before]))
      }),
    )
  })
})
