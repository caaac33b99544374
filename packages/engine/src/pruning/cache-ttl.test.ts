import { describe, expect, test } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { applyPrunePlan } from '../testing/apply-prune-plan.ts'
import { assistant, call, image, items, result, text, tool, user } from '../testing/build-conversation.ts'
import type { Item } from '../transcript/item.ts'
import type { Message, ToolOutput } from '../transcript/message.ts'
import { planPruning } from './plan-pruning.ts'
import type { PruningInput } from './prune-plan.ts'

const policy = PRESETS.openclaw.contextPruning
const NOW = 10_000_000
const CLEARED = { form: 'cleared', placeholder: '[Old tool result content cleared]' }

/** One user message, then a call and its result for each output, then `after` closing assistant messages. */
function conversation(outputs: readonly ToolOutput[], after = 3): readonly Item[] {
  const messages: Message[] = [user('go')]
  outputs.forEach((output, index) => {
    messages.push(assistant(call(`c${index}`)), tool(result(`c${index}`, output)))
  })
  for (let index = 0; index < after; index += 1) messages.push(assistant('well'))
  return items(...messages)
}

function plan(change: Partial<PruningInput> = {}) {
  return planPruning({
    items: conversation(['x'.repeat(8_000)]),
    policy,
    estimator: 'plain',
    usedTokens: 40_000,
    limits: { windowTokens: 100_000 },
    now: NOW,
    lastCallAt: null,
    ...change,
  })
}

describe('when', () => {
  test('OPEN-07 only once the last call is as old as the TTL', () => {
    expect(plan({ lastCallAt: NOW - 5 * 60_000 + 1 })).toBeNull()
    expect(plan({ lastCallAt: NOW - 5 * 60_000 })).not.toBeNull()
    expect(plan({ lastCallAt: null })).not.toBeNull()
    expect(plan({ lastCallAt: NOW + 1 })).toBeNull()
  })

  test('OPEN-07 only above 0.3 of the window', () => {
    expect(plan({ usedTokens: 30_000 })).toBeNull()
    expect(plan({ usedTokens: 30_001 })).not.toBeNull()
  })

  test('LH-05 never while the size or the window is unknown', () => {
    expect(plan({ usedTokens: null })).toBeNull()
    expect(plan({ limits: null })).toBeNull()
  })

  test('OPEN-07 mode off prunes nothing', () => {
    expect(plan({ policy: { ...policy, mode: 'off' }, usedTokens: 99_000 })).toBeNull()
  })
})

describe('soft trim', () => {
  test('OPEN-07 a result over 4,000 characters becomes head 1,500, dots, tail 1,500 and a note', () => {
    const before = conversation([`${'h'.repeat(4_000)}${'t'.repeat(4_000)}`])
    const planned = plan({ items: before })
    const output = `${'h'.repeat(1_500)}\n...\n${'t'.repeat(1_500)}\n\n[Tool result trimmed: kept first 1500 and last 1500 of 8000 characters.]`
    expect(planned).toMatchObject({
      reason: 'cache-ttl: 40 % of the window used, cache cold',
      decisions: [{ entry: { id: 'm3', seq: 3 }, part: 0, form: 'soft-trimmed', headChars: 1_500, tailChars: 1_500 }],
      freedChars: 8_000 - output.length,
      freedTokens: 2_000 - Math.floor(output.length / 4),
    })
    expect(applyPrunePlan(before, planned)[2]?.message).toEqual(tool(result('c0', output)))
  })

  test('OPEN-07 exactly 4,000 characters stay', () => {
    expect(plan({ items: conversation(['x'.repeat(4_000)]) })).toBeNull()
    expect(plan({ items: conversation(['x'.repeat(4_001)]) })).not.toBeNull()
  })

  test('OPEN-07 all long results at once', () => {
    const outputs = ['x'.repeat(8_000), 'short', 'y'.repeat(9_000), 'z'.repeat(10_000)]
    const planned = plan({ items: conversation(outputs), usedTokens: 30_001 })
    expect(planned?.decisions.map(({ entry }) => entry.seq)).toEqual([3, 7, 9])
  })
})

describe('hard clear', () => {
  /** 20 results of 4,000 characters: nothing to trim, 80,000 to clear, about 1,000 tokens each. */
  const many = conversation(Array.from({ length: 20 }, () => 'x'.repeat(4_000)))

  test('OPEN-07 only above 0.5 of the window', () => {
    expect(plan({ items: many, usedTokens: 50_000 })).toBeNull()
    expect(plan({ items: many, usedTokens: 50_001 })).not.toBeNull()
  })

  test('OPEN-07 the oldest first, until below 0.5', () => {
    const planned = plan({ items: many, usedTokens: 52_000 })
    const freedEach = 1_000 - Math.floor(33 / 4)
    expect(planned?.decisions).toEqual([
      { entry: { id: 'm3', seq: 3 }, part: 0, ...CLEARED },
      { entry: { id: 'm5', seq: 5 }, part: 0, ...CLEARED },
      { entry: { id: 'm7', seq: 7 }, part: 0, ...CLEARED },
    ])
    expect(planned?.freedTokens).toBe(3 * freedEach)
  })

  test('OPEN-07 only if at least 50,000 characters can be pruned', () => {
    const just = conversation(Array.from({ length: 20 }, () => 'x'.repeat(2_500)))
    expect(plan({ items: just, usedTokens: 90_000 })?.decisions).toHaveLength(20)
    const less = conversation([...Array.from({ length: 19 }, () => 'x'.repeat(2_500)), 'x'.repeat(2_499)])
    expect(plan({ items: less, usedTokens: 90_000 })).toBeNull()
  })

  test('OPEN-07 what soft trimming left counts, and each result gets one decision', () => {
    const long = conversation(Array.from({ length: 20 }, () => 'x'.repeat(30_000)))
    const planned = plan({ items: long, usedTokens: 190_000, limits: { windowTokens: 200_000 } })
    expect(planned?.decisions).toHaveLength(20)
    const forms = planned?.decisions.map(({ form }) => form)
    expect(forms?.every((form) => form === 'soft-trimmed')).toBe(true)
    const harder = plan({ items: long, usedTokens: 240_000, limits: { windowTokens: 200_000 } })
    expect(harder?.decisions[0]).toMatchObject(CLEARED)
    expect(harder?.decisions.at(-1)).toMatchObject({ form: 'soft-trimmed' })
    expect(harder?.decisions).toHaveLength(20)
  })

  test('OPEN-07 hardClear.enabled: false only trims', () => {
    const only = { ...policy, hardClear: { ...policy.hardClear, enabled: false } }
    expect(plan({ items: many, usedTokens: 90_000, policy: only })).toBeNull()
  })

  test('OPEN-06 a result no longer than the placeholder stays', () => {
    const small = { ...policy, minPrunableToolChars: 1 }
    expect(plan({ items: conversation(['x'.repeat(33)]), usedTokens: 90_000, policy: small })).toBeNull()
    expect(plan({ items: conversation(['x'.repeat(34)]), usedTokens: 90_000, policy: small })).not.toBeNull()
  })
})

describe('protected', () => {
  const long = 'x'.repeat(8_000)

  test('OPEN-06 the last three assistant messages and what belongs to them', () => {
    expect(plan({ items: conversation([long], 2) })).toBeNull()
    expect(plan({ items: conversation([long], 3) })).not.toBeNull()
    const all = conversation([long, long, long, long, long], 0)
    expect(plan({ items: all })?.decisions.map(({ entry }) => entry.seq)).toEqual([3, 5])
  })

  test('OPEN-06 results the model has not seen yet, even if no message is to be kept', () => {
    const none = { ...policy, keepLastAssistants: 0 }
    const unseen = conversation([long, long], 0)
    expect(plan({ items: unseen, policy: none })?.decisions.map(({ entry }) => entry.seq)).toEqual([3])
    expect(plan({ items: conversation([long], 0), policy: none })).toBeNull()
  })

  test('OPEN-06 everything before the first user message', () => {
    const early = items(
      assistant(call('boot')),
      tool(result('boot', long)),
      user('hi'),
      assistant(call('a')),
      tool(result('a', long)),
      ...Array.from({ length: 3 }, () => assistant('well')),
    )
    expect(plan({ items: early })?.decisions.map(({ entry }) => entry.seq)).toEqual([5])
    expect(plan({ items: early.filter((item) => item.entry.role !== 'user') })).toBeNull()
  })

  test('OPEN-06 results with an image, text beside it or not', () => {
    expect(plan({ items: conversation([[text(long), image()], [image()]]) })).toBeNull()
  })

  test('OPEN-06 tools that are denied, or not allowed', () => {
    expect(plan({ policy: { ...policy, tools: { allow: ['*'], deny: ['Re*'] } } })).toBeNull()
    expect(plan({ policy: { ...policy, tools: { allow: ['bash'], deny: [] } } })).toBeNull()
  })

  test('OPEN-06 user and assistant texts, however long', () => {
    const talk = items(user(long), assistant(long), user(long), ...Array.from({ length: 3 }, () => assistant(long)))
    expect(plan({ items: talk, usedTokens: 99_000 })).toBeNull()
  })
})

test('LH-03 what is trimmed is not trimmed again, only cleared', () => {
  const before = conversation(Array.from({ length: 20 }, () => 'x'.repeat(8_000)))
  const trimmed = applyPrunePlan(before, plan({ items: before }))
  const tighter = { ...policy, softTrim: { maxChars: 1_000, headChars: 100, tailChars: 100 } }
  expect(plan({ items: trimmed, policy: tighter, usedTokens: 45_000 })).toBeNull()
  expect(plan({ items: trimmed, usedTokens: 60_000 })?.decisions.every(({ form }) => form === 'cleared')).toBe(true)
})

test('LH-03 what is cleared is never decided again', () => {
  const before = conversation(Array.from({ length: 20 }, () => 'x'.repeat(4_000)))
  const cleared = applyPrunePlan(before, plan({ items: before, usedTokens: 99_000 }))
  const other = { ...policy, minPrunableToolChars: 0, hardClear: { enabled: true, placeholder: '[x]' } }
  expect(plan({ items: cleared, policy: other, usedTokens: 99_000 })).toBeNull()
})
