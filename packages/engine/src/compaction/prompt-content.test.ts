import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { applyForms } from '../pruning/apply-form.ts'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { assistant, call, items, reasoning, result, tool, user } from '../testing/build-conversation.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import { describePieces, describeSummarised, joinPieces } from './prompt-content.ts'
import { capMiddle, renderSpan } from './summariser-input.ts'
import type { SpanForm } from './summariser-input.ts'

const { preview } = PRESETS.longhaul.compaction

function describeSpan(span: readonly Item[], form: SpanForm, maxChars = Infinity) {
  const pieces = span.map((item) => ({ item, text: renderSpan([item], form), isLeftOut: false }))
  const shown = capMiddle(joinPieces(pieces), maxChars)
  return { shown, held: describePieces(pieces, shown, 'plain') }
}
const statesOf = (held: readonly { readonly state: string }[]): string => held.map(({ state }) => state).join(' ')

describe('what a prompt holds of a message', () => {
  test('is verbatim, numbered or not, unless the preview cuts it', () => {
    const span = items(user('Look.'), assistant(call('a')), tool(result('a', 'r'.repeat(9_000))), assistant('Seen.'))
    for (const isNumbered of [true, false]) {
      expect(statesOf(describeSpan(span, { preview, isNumbered }).held)).toBe('verbatim verbatim soft-trimmed verbatim')
      expect(statesOf(describeSpan(span, { preview: null, isNumbered }).held)).not.toContain('soft-trimmed')
    }
  })

  test('counts what is held, not what is stored', () => {
    const span = items(tool(result('a', 'r'.repeat(9_000))))
    const { shown, held } = describeSpan(span, { preview })
    expect(held[0]?.tokens).toBe(estimateField(shown, 'plain'))
  })

  test('SPEC-09 is the stored message, whatever the request sends of it', () => {
    const form: PruneForm = { form: 'cleared', placeholder: '[gone]' }
    const pruned = items(tool(result('a', 'the stored answer'))).map((item): Item => {
      const forms = new Map([[0, form]])
      return { ...item, forms, message: applyForms(item.entry, forms) }
    })
    for (const shown of [preview, null]) {
      const { held } = describeSpan(pruned, { preview: shown })
      expect(statesOf(held)).toBe('verbatim')
      expect(held[0]?.tokens).toBe(estimateField('[read answered] the stored answer', 'plain'))
    }
  })

  test('is nothing where it has no words', () => {
    const span = items(user('Look.'), assistant(reasoning('hm')), user('Well?'))
    expect(describeSpan(span, { preview: null }).held).toMatchObject([
      { state: 'verbatim' },
      { state: 'left-out', tokens: 0 },
      { state: 'verbatim' },
    ])
  })

  test('is nothing in the middle that was cut, and a part at its edges', () => {
    const span = items(...Array.from({ length: 9 }, (_, index) => user(`${index}`.repeat(100))))
    const { held, shown } = describeSpan(span, { preview: null }, 400)
    expect(statesOf(held)).toBe(
      'verbatim soft-trimmed left-out left-out left-out left-out left-out soft-trimmed verbatim',
    )
    const tokens = held.reduce((sum, item) => sum + item.tokens, 0)
    expect(tokens).toBeLessThanOrEqual(estimateField(shown, 'plain'))
  })

  test('is in the text wherever it is said to be word for word, however that is cut', () => {
    fc.assert(
      fc.property(arbitraryItems(12), fc.integer({ min: 0, max: 600 }), (span, maxChars) => {
        const { shown, held } = describeSpan(span, { preview: null, isNumbered: true }, maxChars)
        expect(held.map(({ item }) => item)).toEqual(span)
        for (const { item, state } of held) {
          const text = renderSpan([item], { preview: null, isNumbered: true })
          if (state === 'verbatim') expect(shown).toContain(text)
          if (shown === '') expect(state).toBe('left-out')
        }
      }),
    )
  })

  test('is a summary of it where summaries are merged', () => {
    const span = items(user('Look.'))
    expect(describeSummarised(span)).toEqual([{ item: span[0], state: 'summarised', tokens: 0 }])
  })
})
