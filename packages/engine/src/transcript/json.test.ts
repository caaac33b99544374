import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryJunk } from '../testing/arbitrary-conversation.ts'
import { isRecord, mapKeepingIdentity, textOf, toJson, toJsonObject } from './json.ts'

describe('toJson', () => {
  it('gives plain JSON back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toBe(value)
      }),
    )
  })

  it('makes plain JSON of anything, and reading that again changes nothing', () => {
    fc.assert(
      fc.property(arbitraryJunk(), (value) => {
        const json = toJson(value)
        const bytes = JSON.stringify(json)
        expect(JSON.stringify(JSON.parse(bytes))).toBe(bytes)
        expect(toJson(json)).toBe(json)
      }),
    )
  })

  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['NaN', Number.NaN, null],
    ['infinity', Number.NEGATIVE_INFINITY, null],
    ['a big integer', 12n, '12'],
    ['a symbol', Symbol('s'), null],
    ['a function', () => 1, null],
    ['holes in a list', [1, undefined, () => 1], [1, null, null]],
    ['undefined and functions in an object', { a: undefined, b: () => 1, c: 3 }, { c: 3 }],
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an invalid date', { at: new Date(Number.NaN) }, { at: null }],
    ['an address', new URL('https://example.org/a'), 'https://example.org/a'],
    ['a class instance', Object.assign(new Error('gone'), { code: 7 }), { code: 7 }],
  ])('turns %s into JSON', (_, value, json) => {
    expect(toJson(value)).toStrictEqual(json)
  })

  it('ends cycles with a note, and tells them from an object that only appears twice', () => {
    const shared = { a: 1 }
    const cyclic: Record<string, unknown> = { first: shared, second: shared }
    cyclic['self'] = cyclic
    cyclic['list'] = [cyclic]
    expect(toJson(cyclic)).toStrictEqual({
      first: { a: 1 },
      second: { a: 1 },
      self: '[circular]',
      list: ['[circular]'],
    })
  })

  it('notes what cannot be read, and reads the rest', () => {
    expect(toJson({ a: 1, b: unreadable() })).toStrictEqual({ a: 1, b: '[unreadable value]' })
    expect(toJson(new Proxy([], { get: () => unreadable().secret }))).toBe('[unreadable value]')
  })

  it('ends excess depth with a note', () => {
    let nested: unknown = 'bottom'
    for (let level = 0; level < 100_000; level += 1) nested = [nested]
    const text = JSON.stringify(toJson(nested))
    expect(text).toContain('[nested too deeply]')
    expect(text.length).toBeLessThan(1_000)
  })

  it('survives an object whose toJSON answers itself or throws', () => {
    const own: object = { toJSON: () => own }
    const broken = {
      toJSON(): never {
        throw new Error('broken')
      },
    }
    expect(toJson(own)).toBe('[circular]')
    expect(toJson([broken])).toStrictEqual(['[unreadable value]'])
  })

  it('keeps a key called __proto__ as a key, and never sets a prototype', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"list":[1]}')
    const copy = toJson({ ...(value as object), gone: undefined }) as object
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"list":[1]}')
    expect('polluted' in {}).toBe(false)
  })
})

describe('toJsonObject', () => {
  it('answers an object whatever comes in', () => {
    fc.assert(
      fc.property(arbitraryJunk(), (value) => {
        expect(isRecord(toJsonObject(value))).toBe(true)
      }),
    )
  })
})

describe('textOf', () => {
  it('answers text whatever comes in', () => {
    fc.assert(
      fc.property(arbitraryJunk(), (value) => {
        expect(typeof textOf(value)).toBe('string')
      }),
    )
  })

  it.each<[unknown, string]>([
    ['as it is', 'as it is'],
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [false, 'false'],
    [{ a: [1] }, '{"a":[1]}'],
    [Symbol('s'), 'Symbol(s)'],
    [Number.NaN, 'NaN'],
    [5n, '5'],
    [{ a: 5n }, '{"a":"5"}'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('writes %s', (value, text) => {
    expect(textOf(value)).toBe(text)
  })
})

describe('textOf: what JSON cannot say', () => {
  it('notes cycles and getters that throw', () => {
    const cyclic: Record<string, unknown> = { a: 1 }
    cyclic['self'] = cyclic
    expect(textOf(cyclic)).toBe('{"a":1,"self":"[circular]"}')
    expect(textOf({ a: 1, b: unreadable() })).toBe('{"a":1,"b":"[unreadable value]"}')
  })
})

describe('mapKeepingIdentity', () => {
  it('returns the list itself when nothing changed, a new one otherwise', () => {
    const list = ['a', 'b']
    expect(mapKeepingIdentity(list, (element) => element)).toBe(list)
    expect(mapKeepingIdentity(list, (element) => (element === 'b' ? 'c' : element))).toStrictEqual(['a', 'c'])
    expect(list).toStrictEqual(['a', 'b'])
  })
})

/** Made inside the tests: vitest itself would read it for a title. */
function unreadable(): { readonly secret: never } {
  return {
    get secret(): never {
      throw new Error('nobody may look')
    },
  }
}
