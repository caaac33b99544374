import type { Compaction } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { describeReason } from './describe-reason.ts'
import { explainScore } from './explain-score.ts'
import { nameFactKind } from './fact-kinds.ts'
import { groupBy } from './group-by.ts'
import { numberSources } from './number-sources.ts'
import { orderCompactions } from './order-compactions.ts'

const COMPACTION: Compaction = {
  id: 'c1',
  at: 1,
  reason: 'threshold',
  tokensBefore: 25_000,
  tokensAfter: 6_000,
  score: 0.93,
  strategy: 'longhaul',
  model: 'offline/extractive',
  fallback: null,
  cost: 0,
  summary: '',
  items: [],
  ledger: [],
  coveredIds: [],
  undone: false,
}

describe('a compaction in words', () => {
  it('says why it was made, whatever the reason', () => {
    expect(describeReason('threshold')).toBe('The context had grown past its threshold.')
    expect(describeReason('moon')).toBe('Reason: moon.')
    expect(nameFactKind('file-changed')).toBe('Files changed')
    expect(nameFactKind('new-kind')).toBe('new kind')
  })

  it('SPEC-07 explains its score', () => {
    expect(explainScore(0.93)).toMatchObject({ value: '93 %', sentence: expect.stringMatching(/^Nearly all of/) })
    expect(explainScore(1).sentence).toMatch(/^All of/)
    expect(explainScore(0.2).sentence).toMatch(/^Only part of/)
    expect(explainScore(null).value).toBe('not scored')
  })

  it('numbers each cited message once, in reading order', () => {
    const numbers = numberSources([{ sources: ['b', 'a'] }, { sources: ['a'] }], [{ sources: ['c', 'b'] }])
    expect([...numbers]).toEqual([
      ['b', 1],
      ['a', 2],
      ['c', 3],
    ])
  })

  it('keeps its sections in their order', () => {
    const groups = groupBy(['x1', 'y1', 'x2'], (text) => text.slice(0, 1))
    expect(groups).toEqual([
      { name: 'x', items: ['x1', 'x2'] },
      { name: 'y', items: ['y1'] },
    ])
  })

  it('offers undo for the newest that is in force', () => {
    const undone = { ...COMPACTION, id: 'c3', at: 3, undone: true }
    const { compactions, newestId } = orderCompactions([COMPACTION, { ...COMPACTION, id: 'c2', at: 2 }, undone])
    expect(compactions.map(({ id }) => id)).toEqual(['c3', 'c2', 'c1'])
    expect(newestId).toBe('c2')
    expect(orderCompactions([undone]).newestId).toBeNull()
  })
})
