import type { AgentEvent } from '@longhaul/runtime'
import { expect, it } from 'vitest'
import { createFirstTokenClock } from './first-token-clock.ts'

const stored = (turnId: string): AgentEvent => ({ turnId, type: 'message-stored', id: turnId })
const delta = (turnId: string | null): AgentEvent => ({ turnId, type: 'text-delta', text: 'Hi' })

it('measures each turn once, from its message to its first token', () => {
  const clock = createFirstTokenClock()
  expect(clock.see(stored('a'), 1_000)).toBeNull()
  expect(clock.see(stored('b'), 1_500)).toBeNull()
  expect(clock.see(delta(null), 1_600)).toBeNull()
  expect(clock.see(delta('a'), 1_700)).toBe(700)
  expect(clock.see(delta('a'), 1_800)).toBeNull()
  expect(clock.see({ turnId: 'b', type: 'reasoning-delta', text: 'Hm' }, 1_900)).toBe(400)
})

it('a turn that fails or is answered elsewhere is not measured', () => {
  const clock = createFirstTokenClock()
  clock.see(stored('a'), 1_000)
  expect(clock.see({ turnId: 'a', type: 'error', code: 'internal', message: '' }, 2_000)).toBeNull()
  expect(clock.see(delta('a'), 3_000)).toBeNull()
  expect(clock.see(delta('other'), 3_000)).toBeNull()
})

it('turns that are never heard of again are forgotten', () => {
  const clock = createFirstTokenClock()
  for (let turn = 0; turn < 10_001; turn += 1) clock.see(stored(`m${turn}`), turn)
  expect(clock.see(delta('m0'), 20_000)).toBeNull()
  expect(clock.see(delta('m10000'), 20_000)).toBe(10_000)
})
