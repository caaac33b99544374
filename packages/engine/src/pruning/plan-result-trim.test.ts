import { expect, it } from 'vitest'
import { createItem } from '../transcript/item.ts'
import type { Item } from '../transcript/item.ts'
import type { MessageEntry } from '../transcript/entry.ts'
import { planResultTrim } from './plan-result-trim.ts'

it('OPEN-15 cuts every long result, the newest too, and leaves short ones alone', () => {
  const items = [resultOf(1, 'x'.repeat(10_000)), resultOf(2, 'short'), resultOf(3, 'y'.repeat(2_001))]
  const plan = planResultTrim(items, 'plain')
  expect(plan?.decisions.map(({ entry, form }) => [entry.seq, form])).toEqual([
    [1, 'soft-trimmed'],
    [3, 'soft-trimmed'],
  ])
  expect(plan?.freedChars).toBeGreaterThan(8_000)
})

it('OPEN-15 clears what was cut before and is still long', () => {
  const cut = { form: 'soft-trimmed', headChars: 3_000, tailChars: 1_000, note: '[cut]' } as const
  const item = resultOf(1, 'x'.repeat(10_000))
  const shown = { ...item.message, parts: [{ ...resultPart('x'.repeat(4_000)) }] }
  const plan = planResultTrim([{ ...item, message: shown, forms: new Map([[0, cut]]) }], 'plain')
  expect(plan?.decisions.map(({ form }) => form)).toEqual(['cleared'])
})

it('OPEN-15 has nothing to say where no result is long', () => {
  expect(planResultTrim([resultOf(1, 'short')], 'plain')).toBeNull()
})

function resultOf(seq: number, output: string): Item {
  const entry: MessageEntry = { type: 'message', seq, id: `e${seq}`, at: 0, role: 'tool', parts: [resultPart(output)] }
  return createItem(entry)
}

function resultPart(output: string) {
  return { type: 'tool-result', toolCallId: 'a', toolName: 'read', output } as const
}
