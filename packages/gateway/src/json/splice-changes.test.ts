import { expect, it } from 'vitest'
import { spliceChanges } from './splice-changes.ts'

it('writes only what changed: numbers, spaces, escapes and the order of keys stay', () => {
  const raw = '{ "n": 12345678901234567890,"z":[1.0, {"text":"long","m":1e400}] , "a":"\\u00fc" }'
  const after = { a: 'ü', n: Number('12345678901234567890'), z: [1, { text: 'cut', m: Infinity }] }
  expect(spliceChanges(raw, after)).toBe(
    '{ "n": 12345678901234567890,"z":[1.0, {"text":"cut","m":1e400}] , "a":"\\u00fc" }',
  )
})

it('keeps numbers that a store cannot hold', () => {
  const raw = '{"far":1E400,"none":-0,"exact":9007199254740993,"path":"long"}'
  const stored = JSON.parse(JSON.stringify({ ...(JSON.parse(raw) as object), path: 'cut' })) as unknown
  expect(stored).toMatchObject({ far: null, none: 0 })
  expect(spliceChanges(raw, stored)).toBe('{"far":1E400,"none":-0,"exact":9007199254740993,"path":"cut"}')
})

it('writes anew what has another shape, or keys that cannot be told apart', () => {
  expect(spliceChanges('{"a":1}', { b: 1 })).toBe('{"b":1}')
  expect(spliceChanges('{"a":1,"a":2}', { a: 3 })).toBe('{"a":3}')
  expect(spliceChanges('{"\\u0061":1,"b":"x"}', { a: 1, b: 'y' })).toBe('{"a":1,"b":"y"}')
})
