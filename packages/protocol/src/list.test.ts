import { expect, it } from 'vitest'
import { clampLimit } from './list.ts'

const bounds = { standard: 50, most: 200 }

it.each([
  [undefined, 50],
  ['10', 10],
  ['0', 1],
  ['-3', 1],
  ['1e9', 200],
  ['Infinity', 200],
  ['7.9', 7],
  ['', 1],
  ['many', 50],
])('a limit of %j becomes %j', (limit, expected) => {
  expect(clampLimit(limit, bounds)).toBe(expected)
})
