import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { START_AT, numberLines, user } from '../testing/build-entries.ts'
import { parseEntry, parseObject, writeEntry } from './entry-text.ts'

describe('parseEntry', () => {
  it('ONE-03 gives back the very bytes that were written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, extra) => {
        const entry = { ...numberLines([user(text)])[0], tomorrow: JSON.parse(JSON.stringify(extra)) as unknown }
        const written = JSON.stringify(entry)
        expect(writeEntry(parseEntry(written, 's1', 1))).toBe(written)
      }),
    )
  })

  it('keeps an entry of a newer version', () => {
    const entry = parseEntry(`{"seq":3,"id":"x","at":${START_AT},"type":"hologram"}`, 's1', 3)
    expect(entry).toMatchObject({ type: 'unknown', original: { type: 'hologram' } })
  })

  it('names the entry that cannot be read', () => {
    for (const text of ['', '{"seq":3,', '[]', 'null', '{"id":"x"}', '{"seq":4,"id":"x","at":1,"type":"reset"}']) {
      expect(() => parseEntry(text, 's1', 3)).toThrow(
        expect.objectContaining({ code: 'damaged', message: expect.stringContaining('Entry 3 of session s1') }),
      )
    }
  })
})

describe('parseObject', () => {
  it('reads objects alone', () => {
    expect(parseObject('{"a":1}', 'It')).toEqual({ a: 1 })
    for (const text of ['', '[]', '1', 'null', '{']) {
      expect(() => parseObject(text, 'The header')).toThrow(
        expect.objectContaining({ code: 'damaged', message: expect.stringContaining('The header') }),
      )
    }
  })
})
