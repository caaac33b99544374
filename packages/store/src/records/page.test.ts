import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampLimit, readCursor, writeCursor } from './page.ts'

describe('clampLimit', () => {
  it('keeps a page between 1 and 1,000', () => {
    expect([0, -3, 1, 2.9, 1_000, 1_001, Infinity, -Infinity].map((limit) => clampLimit(limit))).toEqual([
      1, 1, 1, 2, 1_000, 1_000, 1_000, 1,
    ])
    expect(clampLimit(undefined)).toBe(50)
    expect(clampLimit(Number.NaN)).toBe(50)
  })
})

describe('readCursor', () => {
  it('reads what was written, whatever the id holds', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), id, (updatedAt, text) => {
        // oxlint-disable-next-line no-control-regex -- ids hold none
        fc.pre(!/[\u0000-\u001F\u007F]/.test(text))
        expect(readCursor(writeCursor({ updatedAt, id: text }))).toEqual({ updatedAt, id: text })
      }),
    )
  })

  it('refuses what no list has given', () => {
    for (const cursor of ['', '12', '.x', 'x.12', '12.', '12.a\u0000b', '1e5.x', '99999999999999999.x']) {
      expect(() => readCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid' }))
    }
  })
})
