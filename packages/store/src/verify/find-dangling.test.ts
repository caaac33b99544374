import { describe, expect, it } from 'vitest'
import { compaction, numberLines, user } from '../testing/build-entries.ts'
import type { Line } from '../testing/build-entries.ts'
import { findDangling } from './find-dangling.ts'

const ids = new Map([
  ['e1', 1],
  ['e2', 2],
  ['e3', 3],
])

function findIn(line: Line): readonly string[] {
  return numberLines([line], 3).flatMap((entry) => findDangling(entry, ids))
}

describe('findDangling', () => {
  it.each<[string, Line]>([
    ['a compaction', compaction(2, 'Summary', 3)],
    ['a compaction that keeps nothing', { ...compaction(4), firstKept: null } as Line],
    ['a message', user('Hello')],
    ['an undo', { type: 'compaction-undone', compaction: 'e3' }],
    ['an unpin', { type: 'unpin', pin: 'e2' }],
  ])('finds nothing wrong with %s', (_, line) => {
    expect(findIn(line)).toEqual([])
  })

  const moved = compaction(2, 'Summary', 3)
  const cleared = { part: 0, form: 'cleared', placeholder: '' } as const
  it.each<[string, Line, string]>([
    ['a base that is not there', compaction(2, 'Summary', 9), 'base it stands on'],
    ['a first message that comes later', compaction(5), 'first kept message'],
    ['a number that belongs to another', { ...moved, carried: [{ id: 'e1', seq: 2 }] } as Line, 'carried messages'],
    [
      'a summary that a trim keeps',
      {
        type: 'trim',
        fromSeq: 2,
        firstKept: null,
        carried: [],
        previous: null,
        tokensBefore: 2,
        tokensAfter: 1,
        reason: 'overflow',
        summary: { id: 'gone', seq: 1 },
        dropped: 1,
        note: null,
      },
      'summary',
    ],
    [
      'a pruned message',
      { type: 'prune', reason: 'size', decisions: [{ ...cleared, entry: { id: 'x', seq: 1 } }] },
      'pruned messages',
    ],
    ['an undone compaction', { type: 'compaction-undone', compaction: 'gone' }, 'compaction it undoes'],
    ['a pin', { type: 'unpin', pin: 'gone' }, 'pin it takes back'],
  ])('finds %s', (_, line, name) => {
    expect(findIn(line)).toEqual([name])
  })
})
