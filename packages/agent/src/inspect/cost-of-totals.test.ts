import { foldEntries } from '@longhaul/engine/advanced'
import { expect, it } from 'vitest'
import { costOfTotals } from './cost-of-totals.ts'

const TOKENS = { messages: 1, inputTokens: 10, outputTokens: 1 }

it.each([
  [0, 0, 0],
  [0, 3, null],
  [1.5, 0, 1.5],
  [1.5, 2, 1.5],
])('$%d and %d calls of an unknown price cost %s', (costUsd, unpricedCalls, cost) => {
  expect(costOfTotals({ ...TOKENS, costUsd, unpricedCalls })).toBe(cost)
})

it('a bill without a price is counted, one of a free model is not', () => {
  const bill = (seq: number, costUsd?: number) =>
    ({
      type: 'bill',
      seq,
      id: `b${seq}`,
      at: seq,
      work: 'title',
      model: 'a/one',
      usage: { input: 10, output: 1, ...(costUsd === undefined ? {} : { costUsd }) },
    }) as const
  const { totals } = foldEntries([bill(1), bill(2, 0), bill(3, 0.25)]).head
  expect(totals).toMatchObject({ costUsd: 0.25, unpricedCalls: 1 })
})
