import { expect, test } from 'vitest'
import { sumUsage } from './sum-usage.ts'

test('adds what was reported and leaves out what nobody reported', () => {
  expect(sumUsage([])).toBeNull()
  expect(sumUsage([null, undefined])).toBeNull()
  expect(sumUsage([{ input: 1, output: 2, cacheRead: 3 }, null, { input: 10, output: 20, costUsd: 0.5 }])).toEqual({
    input: 11,
    output: 22,
    cacheRead: 3,
    costUsd: 0.5,
  })
})
