import fc from 'fast-check'
import JSON5 from 'json5'
import { describe, expect, it } from 'vitest'
import { showPath } from './key-path.ts'
import { locateKeys } from './locate-keys.ts'

function locate(source: string): readonly string[] {
  return locateKeys(source).map(({ path, line }) => `${showPath(path)}@${line}`)
}

describe('locateKeys', () => {
  it('finds keys of every kind, on their lines', () => {
    const source = `{
  bare: 1,
  'single': { "double": [1, { inList: true }] },

  $dollar: -.5e3, \\u0061bc: null,
}`
    expect(locate(source)).toStrictEqual([
      'bare@2',
      'single@3',
      'single.double@3',
      'single.double.1.inList@3',
      '["$dollar"]@5',
      'abc@5',
    ])
  })

  it('takes nothing inside comments and strings for a key', () => {
    const source = `// { a: 1
/* b: { */ {
  c: "d: { \\" /* e: 1 */ // f",
  g: 'it\\'s, h: [',  // i: 1
  j: "one \\
two", k: 1 }`
    expect(locate(source)).toStrictEqual(['c@3', 'g@4', 'j@5', 'k@6'])
  })

  it('finds both of two keys of one name', () => {
    expect(locate('{ a: 1,\n a: 2 }')).toStrictEqual(['a@1', 'a@2'])
  })

  it('counts Windows line ends once', () => {
    expect(locate('{\r\n  a: 1,\r\n  b: 2 }')).toStrictEqual(['a@2', 'b@3'])
  })

  it('agrees with the parser on every key, whatever they hold', () => {
    const keys = (value: unknown, path: readonly string[]): readonly string[] => {
      if (typeof value !== 'object' || value === null) return []
      return Object.entries(value).flatMap(([name, inner]) => {
        const own = [...path, name]
        return [...(Array.isArray(value) ? [] : [JSON.stringify(own)]), ...keys(inner, own)]
      })
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const source = JSON5.stringify(value, { space: space ?? null })
        const parsed: unknown = JSON5.parse(source)
        expect(locateKeys(source).map(({ path }) => JSON.stringify(path))).toStrictEqual(keys(parsed, []))
      }),
    )
  })
})
