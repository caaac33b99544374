import { expect, it } from 'vitest'
import { isSameData } from './is-same-data.ts'

it.each([
  ['texts', 'a', 'a', true],
  ['other texts', 'a', 'b', false],
  ['records', { a: [1, { b: null }], c: undefined }, { c: undefined, a: [1, { b: null }] }, true],
  ['a missing field', { a: 1, b: undefined }, { a: 1, c: undefined }, false],
  ['a longer list', [1], [1, 2], false],
  ['a list and a record', [], {}, false],
  ['a record and a list', {}, [], false],
  ['nothing and something', null, {}, false],
  ['addresses, whose fields are hidden', new URL('https://a.example'), new URL('https://b.example'), false],
  ['equal bytes, which would take long to compare', new Uint8Array([1]), new Uint8Array([1]), false],
  ['dates', new Date(1), new Date(2), false],
])('compares %s', (_, one, other, isSame) => {
  expect(isSameData(one, other)).toBe(isSame)
})

it('ends where data contains itself', () => {
  const loop = (): object => {
    const value: { self?: object } = {}
    value.self = value
    return value
  }
  expect(isSameData(loop(), loop())).toBe(false)
})
