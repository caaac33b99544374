import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFirstUserMessage, findLastAssistantTurns } from '../messages/turns.ts'
import type { PruningPolicy } from '../policy/policy.ts'
import { applyPrunePlan } from '../testing/apply-prune-plan.ts'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import { createItem } from '../transcript/item.ts'
import type { Item } from '../transcript/item.ts'
import type { Part } from '../transcript/message.ts'
import { planPruning } from './plan-pruning.ts'
import { charsOf } from './prunable.ts'
import type { PrunePlan, PruningInput } from './prune-plan.ts'

const arbitraryPolicy: fc.Arbitrary<PruningPolicy> = fc.record({
  mode: fc.constantFrom('cache-ttl' as const, 'age' as const, 'size' as const),
  ttl: fc.constantFrom(0, 1_000),
  keepLastAssistants: fc.nat({ max: 3 }),
  softTrimRatio: fc.constantFrom(0.05, 0.3, 0.5),
  hardClearRatio: fc.constantFrom(0.5, 0.65),
  minPrunableToolChars: fc.constantFrom(0, 100, 20_000),
  softTrim: fc.constantFrom(
    { maxChars: 4_000, headChars: 1_500, tailChars: 1_500 },
    { maxChars: 100, headChars: 30, tailChars: 20 },
    { maxChars: 10, headChars: 0, tailChars: 0 },
  ),
  hardClear: fc.record({ enabled: fc.boolean(), placeholder: fc.constantFrom(null, '[gone]') }),
  softTrimAfterTurns: fc.nat({ max: 2 }),
  hardClearAfterTurns: fc.nat({ max: 5 }),
  tools: fc.constantFrom({ allow: ['*'], deny: [] }, { allow: [], deny: ['bash'] }),
})

/** Windows from far too large to far too small for what is in them. */
const arbitraryInput: fc.Arbitrary<PruningInput> = fc
  .record({
    items: arbitraryItems(14).map(nameFewFiles),
    policy: arbitraryPolicy,
    estimator: fc.constantFrom('plain' as const, 'classes' as const),
    fill: fc.double({ min: 0.1, max: 2, noNaN: true }),
    isUnknown: fc.boolean(),
    idleMs: fc.option(fc.nat({ max: 2_000 })),
  })
  .map(({ items, policy, estimator, fill, isUnknown, idleMs }) => {
    const usedTokens = sumTokens(items, estimator)
    const now = 1_000_000
    return {
      items,
      policy,
      estimator,
      usedTokens: isUnknown && policy.mode === 'age' ? null : usedTokens,
      limits: { windowTokens: Math.max(1, Math.round(usedTokens / fill)) },
      now,
      lastCallAt: idleMs === null ? null : now - idleMs,
    }
  })

/** Random paths would never meet; with two of them, reads become stale. */
function nameFewFiles(items: readonly Item[]): readonly Item[] {
  return items.map(({ entry }) => {
    const parts = entry.parts.map((part, index) =>
      part.type === 'tool-call'
        ? { ...part, input: { ...part.input, path: (entry.seq + index) % 2 === 0 ? 'a' : 'b' } }
        : part,
    )
    return createItem({ ...entry, parts })
  })
}

function sumTokens(items: readonly Item[], estimator: PruningInput['estimator']): number {
  return items.reduce((tokens, item) => tokens + estimateMessage(item.message, estimator), 0)
}

interface Change {
  readonly message: number
  readonly before: Part
  readonly after: Part
}

function findChanges(before: readonly Item[], after: readonly Item[]): readonly Change[] {
  return before.flatMap((item, message) =>
    item.message.parts.flatMap((part, place) => {
      const now = after[message]?.message.parts[place] ?? part
      return now === part ? [] : [{ message, before: part, after: now }]
    }),
  )
}

const sizeOf = (part: Part) => (part.type === 'tool-call' || part.type === 'tool-result' ? charsOf(part) : Number.NaN)
/** `JSON.stringify` writes half a pair as an escape. */
const hasHalfPair = (value: unknown) => /\\ud[89a-f]/.test(JSON.stringify(value))

/** Plans for random conversations; `fc.pre` sees to it that the properties below are about real plans. */
function assertForPlans(check: (input: PruningInput, plan: PrunePlan) => void): void {
  fc.assert(
    fc.property(arbitraryInput, (input) => {
      const plan = planPruning(input)
      fc.pre(plan !== null)
      check(input, plan)
    }),
  )
}

test('LH-03 a plan frees what it says, by the one meter', () => {
  assertForPlans((input, plan) => {
    const after = applyPrunePlan(input.items, plan)
    expect(plan.freedTokens).toBe(sumTokens(input.items, input.estimator) - sumTokens(after, input.estimator))
    expect(plan.freedTokens).toBeGreaterThanOrEqual(0)
    expect(plan.freedChars).toBeGreaterThan(0)
  })
})

test('OPEN-06 only text of tools changes: it gets shorter, its ids and names stay, pairs of surrogates stay whole', () => {
  assertForPlans((input, plan) => {
    const changes = findChanges(input.items, applyPrunePlan(input.items, plan))
    expect(changes).toHaveLength(plan.decisions.length)
    for (const { before, after } of changes) {
      expect(input.policy.mode === 'size' ? ['tool-result', 'tool-call'] : ['tool-result']).toContain(after.type)
      expect({ ...after, input: null, output: null }).toEqual({ ...before, input: null, output: null })
      expect(sizeOf(after)).toBeLessThan(sizeOf(before))
      expect(hasHalfPair(after) && !hasHalfPair(before)).toBe(false)
    }
  })
})

test('OPEN-06 nothing changes before the first user message, nor from the last assistant messages on', () => {
  assertForPlans((input, plan) => {
    const stored = input.items.map((item) => item.entry)
    for (const { message } of findChanges(input.items, applyPrunePlan(input.items, plan))) {
      expect(message).toBeGreaterThan(findFirstUserMessage(stored))
      expect(message).toBeLessThan(findLastAssistantTurns(stored, input.policy.keepLastAssistants))
    }
  })
})

test('OPEN-06 storage is untouched and the same question has the same answer', () => {
  fc.assert(
    fc.property(arbitraryInput, (input) => {
      const before = structuredClone(input)
      const plan = planPruning(input)
      applyPrunePlan(input.items, plan)
      expect(input).toEqual(before)
      expect(planPruning(before)).toEqual(plan)
    }),
  )
})

test('LH-03 once a plan is applied there is nothing left to plan at that moment', () => {
  assertForPlans((input, plan) => {
    const items = applyPrunePlan(input.items, plan)
    const usedTokens = input.usedTokens === null ? null : input.usedTokens - plan.freedTokens
    expect(planPruning({ ...input, items, usedTokens })).toBeNull()
  })
})

test('LH-03 frozen: as a conversation grows, a decided part keeps its bytes until it is cleared, once and for all', () => {
  fc.assert(
    fc.property(arbitraryInput, fc.nat({ max: 10 }), (input, tail) => {
      const start = input.items.slice(0, Math.max(0, input.items.length - tail))
      const early = applyPrunePlan(start, planPruning({ ...input, items: start }))
      const grown = [...early, ...input.items.slice(start.length)]
      const plan = planPruning({ ...input, items: grown })
      const formOf = (seq: number, part: number) =>
        early.find((item) => item.entry.seq === seq)?.forms?.get(part)?.form ?? null
      const again = (plan?.decisions ?? []).filter(({ entry, part }) => formOf(entry.seq, part) !== null)
      expect(again.every(({ entry, part }) => formOf(entry.seq, part) === 'soft-trimmed')).toBe(true)
      expect(again.every(({ form }) => form === 'cleared')).toBe(true)
    }),
  )
})
