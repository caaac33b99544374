import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { entry, result, tool } from '../testing/build-conversation.ts'
import { createItem } from '../transcript/item.ts'
import type { ToolResultPart } from '../transcript/message.ts'
import { createClearForm, createTrimForm } from './create-form.ts'
import type { ClearedFacts } from './create-form.ts'
import type { Prunable } from './prunable.ts'

const own = PRESETS.longhaul.contextPruning

function prunable(stored: ToolResultPart, seq = 41): Prunable<ToolResultPart> {
  const item = createItem(entry(seq, tool(stored)))
  return { item, messageIndex: 0, partIndex: 0, place: '0:0', stored, shown: stored, form: null }
}

function placeholder(stored: ToolResultPart, facts?: ClearedFacts, seq?: number): string {
  const form = createClearForm(prunable(stored, seq), own, facts)
  return form.form === 'cleared' ? form.placeholder : ''
}

test('OPEN-07 the note says the original size', () => {
  expect(createTrimForm(prunable(result('a', 'x'.repeat(12_345))), PRESETS.openclaw.contextPruning)).toEqual({
    form: 'soft-trimmed',
    headChars: 1_500,
    tailChars: 1_500,
    note: '[Tool result trimmed: kept first 1500 and last 1500 of 12345 characters.]',
  })
})

test('OPEN-07 SPEC-02 both placeholders, to the letter', () => {
  const target = prunable(result('a', 'x'.repeat(100)))
  expect(createClearForm(target, PRESETS.openclaw.contextPruning)).toEqual({
    form: 'cleared',
    placeholder: '[Old tool result content cleared]',
  })
  expect(createClearForm(target, PRESETS.spec008.contextPruning)).toEqual({
    form: 'cleared',
    placeholder: '[Tool result cleared]',
  })
})

test('LH-03 own words say what stood there, why it went and how to get it back', () => {
  const stored = result('a', 'x'.repeat(12_345))
  expect(placeholder(stored, { why: 'read-again', path: 'src/a.ts' })).toBe(
    '[Cleared: read src/a.ts (12,345 characters); it was read again later. Ask recall for seq 41 if needed.]',
  )
  expect(placeholder(stored, { why: 'changed', path: 'src/a.ts' })).toContain('; it was changed later.')
  expect(placeholder(stored)).toBe(
    '[Cleared: read (12,345 characters), to make room. Ask recall for seq 41 if needed.]',
  )
  expect(placeholder(result('a', 'x'.repeat(1_234_567)))).toContain('(1,234,567 characters)')
  expect(placeholder(result('a', 'x'.repeat(999)))).toContain('(999 characters)')
})

test('LH-03 a long path keeps its end', () => {
  const path = `/very/${'long/'.repeat(40)}name.ts`
  expect(placeholder(result('a', 'x'), { why: 'changed', path })).toMatch(/read ….{62}name\.ts \(/)
})

test('LH-03 the placeholder is one line of at most 200 characters, whatever the names are', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))
  const why = fc.constantFrom('read-again' as const, 'changed' as const, 'space' as const)
  fc.assert(
    fc.property(anyText, anyText, why, fc.nat({ max: 9_999_999 }), (toolName, path, reason, seq) => {
      const words = placeholder(result('a', 'x'.repeat(3_000), { toolName }), { why: reason, path }, seq)
      expect(words.length).toBeLessThanOrEqual(200)
      expect(words).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(words.isWellFormed()).toBe(true)
    }),
  )
})
