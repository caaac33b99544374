import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankByNearness } from './rank-by-nearness.ts'
import { readVectorBytes, toVectorBytes } from './vector-bytes.ts'

function row(text: string, vector: readonly number[]) {
  return { kind: 'note', line: 1, text, document: 'MEMORY.md', updatedAt: 0, vector: toVectorBytes(vector) } as const
}

describe('rankByNearness', () => {
  it('puts the smallest angle first, however long the vectors are', () => {
    const rows = [row('far', [0.01, 9]), row('near', [100, 1]), row('nearer', [0.001, 0])]
    expect(rankByNearness(rows, toVectorBytes([7, 0]), 10).map(({ text }) => text)).toEqual(['nearer', 'near', 'far'])
  })

  it('passes over vectors of another length, and shows nobody the others', () => {
    const hits = rankByNearness([row('a', [1, 0, 0]), row('b', [1, 0])], toVectorBytes([1, 0]), 10)
    expect(hits).toEqual([{ kind: 'note', line: 1, text: 'b', document: 'MEMORY.md', updatedAt: 0, score: 1 }])
  })

  it('gives the best of all of them, as many as are asked for', () => {
    const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(vector), vector, fc.integer({ min: 1, max: 5 }), (vectors, query, limit) => {
        const rows = vectors.map((each, index) => row(String(index), each))
        const near = readVectorBytes(toVectorBytes(query))
        const products = rows.map(({ vector: bytes }) =>
          readVectorBytes(bytes).reduce((sum, v, i) => sum + v * near[i]!, 0),
        )
        const best = products.toSorted((first, second) => second - first).slice(0, limit)
        expect(rankByNearness(rows, toVectorBytes(query), limit).map(({ score }) => score)).toEqual(best)
      }),
    )
  })
})
