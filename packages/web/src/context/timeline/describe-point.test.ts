import { expect, it } from 'vitest'
import { describePoint } from './describe-point.ts'

it('a request of the timeline is told with its size and what was done before it', () => {
  const timeline = {
    numbers: [4, 7],
    tokens: [7_840, null],
    marks: [
      { kind: 'prune', x: 3.5 },
      { kind: 'compaction', x: 3.5, drop: { from: 19_225, to: 7_840 } },
      { kind: 'flush', x: 4.5 },
      { kind: 'reset', x: 7.5 },
    ],
    topTokens: 20_000,
  } as const
  expect(describePoint(timeline, 0)).toBe('#4 · 7,840 tokens · after pruning, compaction 19.2k → 7.84k')
  expect(describePoint(timeline, 1)).toBe('#7 · size unknown · after memory flush')
  expect(describePoint(timeline, 2)).toBe('')
})
