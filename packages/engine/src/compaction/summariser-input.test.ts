import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItems, arbitraryText, arbitraryUtf16 } from '../testing/arbitrary-conversation.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import { PRESETS } from '../policy/presets.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import { capMiddle, fitTokens, renderSpan } from './summariser-input.ts'

const { preview } = PRESETS.micro.compaction
const anyText = fc.oneof(arbitraryText(), arbitraryUtf16(), fc.string({ unit: 'grapheme', maxLength: 400 }))

describe('renderSpan', () => {
  const long = `${'h'.repeat(500)}${'m'.repeat(5_000)}${'t'.repeat(200)}`
  const span = items(
    user('read it'),
    assistant(call('a', 'read', { path: 'x'.repeat(900) })),
    tool(result('a', long)),
    assistant('done'),
  )

  test('MICRO-07 previews tool inputs at 200 characters and results over 700 as first 500 + last 200', () => {
    const text = renderSpan(span, { preview })
    const shownInput = /\[calls read (.*)…\]/.exec(text)?.[1] ?? ''
    expect(shownInput).toHaveLength(200)
    expect(text).toContain(`[read answered] ${'h'.repeat(500)}\n`)
    expect(text).toContain(`\n${'t'.repeat(200)}\n`)
    expect(text).toContain('5000 characters left out')
    expect(text).not.toContain('mm')
  })

  test('MICRO-07 leaves a result of exactly 700 characters whole', () => {
    const text = renderSpan(items(tool(result('a', 'r'.repeat(700)))), { preview })
    expect(text).toBe(`[read answered] ${'r'.repeat(700)}`)
  })

  test('shows everything without a preview', () => {
    expect(renderSpan(span, { preview: null })).toContain(long)
  })

  test('begins each message with its number, where points are to cite it', () => {
    expect(renderSpan(items(user('Which gate?'), assistant('B22.')), { preview: null, isNumbered: true })).toBe(
      '#1 User: Which gate?\n\n#2 Assistant: B22.',
    )
  })

  test('SPEC-09 shows a pruned result as it was stored, with a preview and without one', () => {
    const [stored] = items(tool(result('a', long)))
    if (stored === undefined) throw new Error('no item')
    const pruned = { ...stored, message: tool(result('a', '[cleared]')) }
    expect(renderSpan([pruned], { preview: null })).toBe(`[read answered] ${long}`)
    expect(renderSpan([pruned], { preview })).toContain('5000 characters left out')
    expect(renderSpan([pruned], { preview })).not.toContain('[cleared]')
  })
})

describe('capMiddle', () => {
  test('MICRO-07 caps the whole at 100,000 characters, with the middle cut and marked', () => {
    const capped = capMiddle(`first${'x'.repeat(200_000)}last`, 100_000)
    expect(capped.length).toBeLessThanOrEqual(100_000)
    expect(capped.length).toBeGreaterThan(99_900)
    expect(capped).toMatch(/^first/)
    expect(capped).toMatch(/last$/)
    expect(capped).toMatch(/\n\[… \d+ characters left out …\]\n/)
  })

  test('leaves a text at the cap alone', () => {
    expect(capMiddle('12345', 5)).toBe('12345')
  })

  test('never exceeds the cap and never splits a surrogate pair', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 500 }), (text, maxChars) => {
        const sound = text.toWellFormed()
        const capped = capMiddle(sound, maxChars)
        expect(capped.length).toBeLessThanOrEqual(Math.max(maxChars, 0))
        expect(capped.isWellFormed()).toBe(true)
      }),
    )
  })

  test('tells exactly how much is missing', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 300, maxLength: 2_000 }),
        fc.integer({ min: 60, max: 290 }),
        (text, maxChars) => {
          const note = /\n\[… (\d+) characters left out …\]\n/.exec(capMiddle(text, maxChars))
          const kept = capMiddle(text, maxChars).length - (note?.[0].length ?? 0)
          expect(kept + Number(note?.[1])).toBe(text.length)
        },
      ),
    )
  })
})

describe('fitTokens', () => {
  test('always fits, by either estimator', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 300 }), fc.constantFrom('plain', 'classes'), (text, maxTokens, estimator) => {
        const fitted = fitTokens(text.toWellFormed(), maxTokens, estimator)
        expect(estimateField(fitted, estimator)).toBeLessThanOrEqual(maxTokens)
        expect(fitted.isWellFormed()).toBe(true)
      }),
    )
  })

  test('wastes little of the room', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(2_000)
    for (const estimator of ['plain', 'classes'] as const) {
      expect(estimateField(fitTokens(text, 5_000, estimator), estimator)).toBeGreaterThan(4_500)
    }
  })

  test('fits whole conversations', () => {
    fc.assert(
      fc.property(arbitraryItems(), fc.integer({ min: 1, max: 2_000 }), (span, maxTokens) => {
        const text = renderSpan(span, { preview: null })
        expect(estimateField(fitTokens(text, maxTokens, 'plain'), 'plain')).toBeLessThanOrEqual(maxTokens)
      }),
    )
  })
})
