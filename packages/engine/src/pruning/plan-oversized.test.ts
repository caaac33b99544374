import { describe, expect, test } from 'vitest'
import { applyPrunePlan } from '../testing/apply-prune-plan.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import { planOversized } from './plan-oversized.ts'

const exchange = (...chars: readonly number[]): readonly Item[] =>
  items(
    user('read all of them'),
    assistant(...chars.map((_, index) => call(`c${index}`, 'read', { path: `${index}.ts` }))),
    ...chars.map((length, index) => tool(result(`c${index}`, 'x'.repeat(length)))),
  )
const tokensOf = (list: readonly Item[]): number =>
  list.slice(1).reduce((sum, item) => sum + estimateMessage(item.message, 'plain'), 0)

describe('planOversized', () => {
  test('LH-04 results that fit together are left alone', () => {
    expect(planOversized({ items: exchange(4_000, 4_000), estimator: 'plain', maxTokens: 3_000 })).toBeNull()
    expect(planOversized({ items: items(user('hi')), estimator: 'plain', maxTokens: 0 })).toBeNull()
  })

  test('LH-04 results too large together are all shortened to one length, and fit', () => {
    const before = exchange(20_000, 30_000, 1_000, 25_000)
    const plan = planOversized({ items: before, estimator: 'plain', maxTokens: 8_000 })
    const after = applyPrunePlan(before, plan)
    expect(tokensOf(before)).toBeGreaterThan(8_000)
    expect(tokensOf(after)).toBeLessThanOrEqual(8_000)
    expect(tokensOf(after)).toBeGreaterThan(5_000)
    expect(after[4]?.forms, 'the short one is whole').toBeNull()
    expect(JSON.stringify(after[2]?.message)).toContain('ask for less at a time')
  })

  test('LH-04 only the exchange under way is looked at', () => {
    const old = [...exchange(90_000), ...items(user('thanks'), assistant('you are welcome'))]
    const now = [...old.slice(0, 3), ...exchange(1_000).slice(0, 3)]
    expect(planOversized({ items: now, estimator: 'plain', maxTokens: 2_000 })).toBeNull()
  })
})
