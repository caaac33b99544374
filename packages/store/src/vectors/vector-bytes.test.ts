import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readVectorBytes, toVectorBytes } from './vector-bytes.ts'

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 })

describe('vector bytes', () => {
  it('hold the direction of a vector, at length 1', () => {
    fc.assert(
      fc.property(numbers, (vector) => {
        const length = Math.hypot(...vector)
        fc.pre(length > 1e-6)
        const read = readVectorBytes(toVectorBytes(vector))
        expect(read.length).toBe(vector.length)
        for (const [index, value] of vector.entries()) expect(read[index]).toBeCloseTo(value / length, 5)
      }),
    )
  })

  it('are read wherever they begin', () => {
    const bytes = toVectorBytes([3, 4])
    for (const start of [0, 1, 2, 3, 4]) {
      const larger = new Uint8Array(16)
      larger.set(bytes, start)
      expect([...readVectorBytes(larger.subarray(start, start + 8))]).toEqual([...Float32Array.of(0.6, 0.8)])
    }
  })

  it('of all zeros stay zeros', () => {
    expect([...readVectorBytes(toVectorBytes([0, 0]))]).toEqual([0, 0])
  })

  it.each([[[]], [[NaN]], [[1, Infinity]]])('%j is no vector', (vector) => {
    expect(() => toVectorBytes(vector)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })
})
