import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateField } from '../tokens/estimate-message.ts'
import type { SummaryDocument, SummaryItem } from '../transcript/summary-document.ts'
import { fitDocument } from './fit-document.ts'
import { renderDocument } from './render-document.ts'
import { renderSummary } from './render-summary.ts'

const item = (id: string, text: string, status: SummaryItem['status'] = 'open'): SummaryItem => ({
  id,
  text,
  sources: [],
  status,
})
const DOCUMENT: SummaryDocument = {
  version: 1,
  sections: [
    { title: 'Decisions', items: [item('i1', 'We use SQLite.'), item('i2', 'No ORM.', 'done')] },
    { title: '', items: [item('summary', 'They met.')] },
  ],
  ledger: [{ kind: 'id', text: 'ABC-12', by: 'user', sources: [], count: 1, lastSeq: 1 }],
}

describe('renderDocument', () => {
  test('marks the fewer of done and open', () => {
    expect(renderDocument(DOCUMENT)).toBe('Decisions:\n- We use SQLite.\n- [done] No ORM.\n\nThey met.')
    const mostlyDone = { title: 'T', items: [item('a', 'one', 'done'), item('b', 'two', 'done'), item('c', 'three')] }
    expect(renderDocument({ version: 1, sections: [mostlyDone] })).toBe(
      'T (done, unless marked open):\n- one\n- two\n- [open] three',
    )
  })

  test('with ids for whoever is to change it', () => {
    expect(renderDocument(DOCUMENT, { ids: true })).toBe(
      'Decisions:\n- [i1] We use SQLite.\n- [i2] [done] No ORM.\n\n[summary] They met.',
    )
  })
})

describe('fitDocument', () => {
  const anyItem = fc.record({ text: fc.lorem(), status: fc.constantFrom('open', 'done') })
  const anyDocument = fc
    .array(fc.record({ title: fc.constantFrom('', 'A', 'B'), items: fc.array(anyItem, { maxLength: 8 }) }), {
      maxLength: 4,
    })
    .map((sections): SummaryDocument => ({
      version: 1,
      sections: sections.map(({ title, items }, place) => ({
        title,
        items: items.map(({ text, status }, index) => item(`${place}-${index}`, text, status)),
      })),
    }))

  test('is within the budget, keeps the same items, and leaves out what is done first', () => {
    fc.assert(
      fc.property(anyDocument, fc.nat({ max: 400 }), (document, budgetTokens) => {
        const fitted = fitDocument(document, { budgetTokens, estimator: 'plain' })
        expect(estimateField(renderDocument(fitted.document), 'plain')).toBeLessThanOrEqual(budgetTokens)
        const all = document.sections.flatMap(({ items }) => items)
        const kept = fitted.document.sections.flatMap(({ items }) => items)
        expect(kept.every((one) => all.includes(one))).toBe(true)
        expect(all.length - kept.length).toBe(fitted.leftOut)
        const lostOpen = all.some((one) => one.status === 'open' && !kept.includes(one))
        expect(lostOpen && kept.some(({ status }) => status === 'done')).toBe(false)
      }),
    )
  })
})

describe('renderSummary', () => {
  test('document, then ledger', () => {
    const budgets = { documentTokens: 100, ledgerTokens: 100, estimator: 'plain' } as const
    expect(renderSummary({ ...DOCUMENT, budgets })).toBe(
      '## Notes by the summarizer\nDecisions:\n- We use SQLite.\n- [done] No ORM.\n\nThey met.\n\n## Ids\nABC-12',
    )
  })

  test('without budgets the document as it is', () => {
    expect(renderSummary(DOCUMENT)).toBe(renderDocument(DOCUMENT))
  })

  test('says what it leaves out', () => {
    const text = renderSummary({ ...DOCUMENT, budgets: { documentTokens: 12, ledgerTokens: 100, estimator: 'plain' } })
    expect(text).toContain('1 older point is not shown here; recall finds them.')
    expect(text).not.toContain('No ORM')
  })
})
