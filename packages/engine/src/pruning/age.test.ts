import { expect, test } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import type { Item } from '../transcript/item.ts'
import { planPruning } from './plan-pruning.ts'
import type { PruningInput } from './prune-plan.ts'

const policy = PRESETS.spec008.contextPruning
const LONG = 'x'.repeat(8_000)

/** One result with so many assistant messages after it. */
function aged(age: number, output = LONG): readonly Item[] {
  const later = Array.from({ length: age }, () => assistant('well'))
  return items(user('go'), assistant(call('a')), tool(result('a', output)), ...later)
}

/** No size, no window, a warm cache: age alone decides. */
function plan(change: Partial<PruningInput>) {
  const warm = { estimator: 'plain', usedTokens: null, limits: null, now: 1_000, lastCallAt: 1_000 } as const
  return planPruning({ items: [], policy, ...warm, ...change })
}

const formsAt = (age: number, change: Partial<PruningInput> = {}, output = LONG) =>
  plan({ items: aged(age, output), ...change })?.decisions.map(({ form }) => form) ?? []

test('SPEC-02 older than 3 assistant turns: soft-trimmed to 1,500 and 1,500', () => {
  expect(formsAt(3)).toEqual([])
  expect(formsAt(4)).toEqual(['soft-trimmed'])
  expect(plan({ items: aged(4) })).toMatchObject({
    reason: 'age: results older than 3 assistant turns',
    decisions: [{ entry: { id: 'm3', seq: 3 }, part: 0, headChars: 1_500, tailChars: 1_500 }],
  })
})

test('SPEC-02 older than 10 assistant turns: cleared, to the letter', () => {
  expect(formsAt(10)).toEqual(['soft-trimmed'])
  expect(plan({ items: aged(11) })?.decisions).toEqual([
    { entry: { id: 'm3', seq: 3 }, part: 0, form: 'cleared', placeholder: '[Tool result cleared]' },
  ])
})

test('SPEC-02 short results are not trimmed, but cleared when they are old', () => {
  expect(formsAt(10, {}, 'x'.repeat(4_000))).toEqual([])
  expect(formsAt(10, {}, 'x'.repeat(4_001))).toEqual(['soft-trimmed'])
  expect(formsAt(11, {}, 'x'.repeat(100))).toEqual(['cleared'])
  expect(formsAt(11, {}, 'x'.repeat(21))).toEqual([])
  expect(formsAt(11, {}, 'x'.repeat(22))).toEqual(['cleared'])
})

test('SPEC-02 N and M are policy', () => {
  const eager = { policy: { ...policy, softTrimAfterTurns: 4, hardClearAfterTurns: 5 } }
  expect([4, 5, 6].map((age) => formsAt(age, eager))).toEqual([[], ['soft-trimmed'], ['cleared']])
})

test('OPEN-06 keepLastAssistants protects younger results whatever N is', () => {
  const eager = { policy: { ...policy, softTrimAfterTurns: 0, hardClearAfterTurns: 0 } }
  expect([2, 3].map((age) => formsAt(age, eager))).toEqual([[], ['cleared']])
})

test('SPEC-02 without hard clearing an old result stays trimmed', () => {
  expect(formsAt(50, { policy: { ...policy, hardClear: { ...policy.hardClear, enabled: false } } })).toEqual([
    'soft-trimmed',
  ])
})

test('SPEC-02 user messages do not age a result', () => {
  const talk = items(
    user('go'),
    assistant(call('a')),
    tool(result('a', LONG)),
    ...Array.from({ length: 9 }, () => user('so')),
  )
  expect(plan({ items: talk })).toBeNull()
})
