import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { assistant, call, entry, items, result, tool, user } from '../testing/build-conversation.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import { createItem } from '../transcript/item.ts'
import type { SummaryDocument } from '../transcript/summary-document.ts'
import { TIMELINE_TITLE, createExtractiveSummary } from './extractive-summary.ts'
import { renderDocument } from './render-document.ts'

const summarise = (
  span: ReturnType<typeof items>,
  previousDocument: SummaryDocument | null = null,
  budgetTokens = 500,
) => createExtractiveSummary(span, { previousDocument, budgetTokens, estimator: 'plain' })
const itemsOf = (document: SummaryDocument) => document.sections.flatMap((section) => section.items)

describe('createExtractiveSummary', () => {
  test('who asked what and what came of it, with sources', () => {
    const document = summarise(
      items(
        user('Hi! Please fix the crash in src/a.ts. Thanks.'),
        assistant('Let me look.', call('a', 'read', { path: 'src/a.ts' })),
        tool(result('a')),
        assistant('The cause is a missing check in `parse()`, line 40.', call('b', 'bash', { command: 'npm test' })),
        tool(result('b')),
        assistant('Fixed: all 12 tests pass. Let me know if you need anything else.'),
        user('Now write the docs'),
      ),
    )
    expect(renderDocument(document)).toBe(
      [
        'What happened (done, unless marked open):',
        '- User: Please fix the crash in src/a.ts.',
        '- The cause is a missing check in `parse()`, line 40.',
        '- Assistant: Fixed: all 12 tests pass.',
        '- [open] User: Now write the docs',
      ].join('\n'),
    )
    expect(itemsOf(document).map(({ sources }) => sources)).toEqual([['m1'], ['m4'], ['m6'], ['m7']])
    expect(document.ledger?.map(({ kind }) => kind)).toContain('latest-ask')
  })

  test('works for Chinese and for plain chat', () => {
    const document = summarise(
      items(user('你好。我最近在读《百年孤独》，你听说过吗？'), assistant('当然。这是马尔克斯的代表作。')),
    )
    expect(itemsOf(document).map(({ text }) => text)).toEqual([
      'User: 我最近在读《百年孤独》，你听说过吗？',
      'Assistant: 这是马尔克斯的代表作。',
    ])
  })

  test('sections a model wrote are carried as they are', () => {
    const section = {
      title: 'Decisions',
      items: [{ id: 'i1', text: 'We use SQLite.', sources: ['m0'], status: 'open' as const }],
    }
    const document = summarise(items(user('Go on')), { version: 1, sections: [section] })
    expect(document.sections[0]).toBe(section)
    expect(document.sections[1]?.title).toBe(TIMELINE_TITLE)
  })

  test('over the budget the least telling and oldest leave; what stays is the same object', () => {
    let document = summarise(
      items(user('I live in Paris at 12 Rue X and my name is Anna.'), assistant('Nice to meet you.')),
    )
    for (let turn = 1; turn <= 40; turn += 1) {
      const span = [
        createItem(entry(turn * 10, user(`Please look at part ${turn} of the plan in docs/plan-${turn}.md`))),
        createItem(entry(turn * 10 + 1, assistant('ok'))),
      ]
      const next = summarise(span, document, 300)
      const before = new Set(itemsOf(document))
      const carried = itemsOf(next).filter(({ id }) => Number(id.slice(1)) < turn * 10)
      expect(carried.filter((item) => !before.has(item) && item.status !== 'done')).toEqual([])
      expect(estimateField(renderDocument(next), 'plain')).toBeLessThanOrEqual(320)
      document = next
    }
    expect(renderDocument(document)).toContain('part 40')
    expect(renderDocument(document)).toContain('I live in Paris')
  })

  test('no conversation makes it throw; the same one gives the same summary; ids are unique', () => {
    fc.assert(
      fc.property(arbitraryItems(), fc.integer({ min: 0, max: 2_000 }), (span, budgetTokens) => {
        const document = summarise(span, null, budgetTokens)
        expect(summarise(span, null, budgetTokens)).toEqual(document)
        expect(estimateField(renderDocument(document), 'plain')).toBeLessThanOrEqual(budgetTokens + 20)
        const ids = itemsOf(document).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })
})
