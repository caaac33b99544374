import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItems, arbitraryText } from '../testing/arbitrary-conversation.ts'
import type { FactKind, LedgerFact } from '../transcript/summary-document.ts'
import { scoreCoverage } from './coverage.ts'
import { extractFacts } from './extract-facts.ts'

const fact = (kind: FactKind, text: string): LedgerFact => ({
  kind,
  text,
  by: 'user',
  sources: ['m1'],
  count: 1,
  lastSeq: 1,
})

describe('scoreCoverage', () => {
  test('by kind, and what is missing', () => {
    const facts = [
      fact('file-changed', '/app/src/a.ts'),
      fact('file-changed', '/app/src/b.ts'),
      fact('id', 'ABC-12'),
      fact('instruction', 'Never push directly to the main branch.'),
      fact('command', 'npm run check 2>&1 | tail'),
    ]
    const { score, byKind, missing } = scoreCoverage(
      facts,
      'In `a.ts` (abc-12) the user never wants a push directly to the main branch.',
    )
    expect(byKind['file-changed']).toEqual({ present: 1, total: 2 })
    expect(byKind.id).toEqual({ present: 1, total: 1 })
    expect(byKind.instruction).toEqual({ present: 1, total: 1 })
    expect(byKind.url).toEqual({ present: 0, total: 0 })
    expect(missing.map(({ text }) => text)).toEqual(['/app/src/b.ts', 'npm run check 2>&1 | tail'])
    expect(score).toBeCloseTo((0.5 + 1 + 1 + 0) / 4)
  })

  test('Chinese sentences count by their characters', () => {
    expect(scoreCoverage([fact('instruction', '请不要修改数据库的结构')], '用户要求不要修改数据库的结构').score).toBe(1)
    expect(scoreCoverage([fact('instruction', '请不要修改数据库的结构')], '今天天气很好').score).toBe(0)
  })

  test('nothing to cover is covered', () => {
    expect(scoreCoverage([], '').score).toBe(1)
  })

  test('lies between 0 and 1, adds up, and a text of all facts covers them', () => {
    fc.assert(
      fc.property(arbitraryItems(), arbitraryText(), (span, text) => {
        const facts = extractFacts(span)
        const { score, byKind, missing } = scoreCoverage(facts, text)
        const counts = Object.values(byKind)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        expect(counts.reduce((sum, { total }) => sum + total, 0)).toBe(facts.length)
        expect(counts.reduce((sum, { present }) => sum + present, 0)).toBe(facts.length - missing.length)
        expect(scoreCoverage(facts, facts.map((known) => known.text).join('\n')).missing).toEqual([])
      }),
    )
  })
})
