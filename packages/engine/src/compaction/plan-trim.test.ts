import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCutPoints } from '../messages/cut-points.ts'
import { findFirstUserMessage, findNewestUserMessage } from '../messages/turns.ts'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import type { Message } from '../transcript/message.ts'
import { planTrim } from './plan-trim.ts'
import type { TrimInput } from './plan-trim.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const turns = (count: number, tokens = 10): readonly Message[] =>
  Array.from({ length: count }, () => [user(words(tokens)), assistant(words(tokens))]).flat()

function inputOf(preset: PresetName, change: Partial<TrimInput>): TrimInput {
  return {
    items: [],
    carriedCount: 0,
    base: null,
    epoch: 3,
    policy: PRESETS[preset],
    ratio: 1,
    reason: 'summary-failed',
    tokensBefore: 900,
    dropTokens: 0,
    dropMessages: 0,
    alreadyDropped: 0,
    holdsFirstAsk: false,
    ...change,
  }
}

const trim = (preset: PresetName, messages: readonly Message[], change: Partial<TrimInput>) =>
  planTrim(inputOf(preset, { items: items(...messages), ...change }))

/** `m3 < m1 m2`: from m3 on, without m1 and m2. */
function show(plan: ReturnType<typeof planTrim>): string {
  if (plan === null) return 'nothing'
  const carried = plan.move.carried.map(({ id }) => id).join(' ')
  return `${carried}${carried === '' ? '' : ' … '}${plan.move.firstKept?.id ?? 'none'} < ${plan.dropped.map((item) => item.entry.id).join(' ')}`
}

describe('planTrim', () => {
  it('ONE-14 leaves out the oldest messages until enough tokens are gone, and no more', () => {
    expect(show(trim('oneclaw', turns(3), { dropTokens: 10 }))).toBe('m2 < m1')
    expect(show(trim('oneclaw', turns(3), { dropTokens: 11 }))).toBe('m3 < m1 m2')
    expect(show(trim('oneclaw', turns(3), { dropTokens: 20, ratio: 0.5 }))).toBe('m5 < m1 m2 m3 m4')
  })

  it('MICRO-09 or until enough messages are gone', () => {
    expect(show(trim('micro', turns(4), { dropMessages: 2 }))).toBe('m1 … m4 < m2 m3')
    expect(show(trim('oneclaw', turns(4), { dropMessages: 2 }))).toBe('m3 < m1 m2')
  })

  it('MICRO-05 never between a call and its results, parallel ones included', () => {
    const said = [assistant(call('a'), call('b')), tool(result('b')), tool(result('a')), ...turns(2)]
    expect(show(trim('oneclaw', said, { dropMessages: 1 }))).toBe('m4 < m1 m2 m3')
  })

  it('never the newest user message: it is carried where the exchange after it has to go', () => {
    const said = [...turns(1), user('ask'), assistant(call('a')), tool(result('a', words(500)))]
    expect(show(trim('oneclaw', said, { dropTokens: 400 }))).toBe('m3 … none < m1 m2 m4 m5')
    expect(trim('oneclaw', [user('ask')], { dropTokens: 400 })).toBeNull()
  })

  it('MICRO-04 keeps the first user message where the policy does', () => {
    expect(show(trim('micro', turns(3), { dropTokens: 20 }))).toBe('m1 … m4 < m2 m3')
  })

  it('is nothing where nothing has to go', () => {
    expect(trim('oneclaw', turns(3), {})).toBeNull()
    expect(trim('oneclaw', [], { dropTokens: 10 })).toBeNull()
  })

  it('OPEN-13 says in place of a summary how many messages are gone, earlier trims included; only where the seed does', () => {
    expect(trim('openclaw', turns(3), { dropTokens: 15 })?.note).toBe(
      'Context contained 2 messages. Summary unavailable.',
    )
    expect(trim('openclaw', turns(3), { dropTokens: 15, alreadyDropped: 5 })?.note).toBe(
      'Context contained 7 messages. Summary unavailable.',
    )
    expect(trim('oneclaw', turns(3), { dropTokens: 15 })?.note).toBeNull()
    expect(trim('micro', turns(3), { dropTokens: 15 })?.note).toBeNull()
  })

  it('tells where the base moves, what it was, and at which epoch', () => {
    expect(trim('oneclaw', turns(2), { dropTokens: 5, base: { id: 'e9', seq: 9 }, reason: 'overflow' })).toMatchObject({
      action: 'trim',
      reason: 'overflow',
      move: { fromSeq: 2, firstKept: { id: 'm2', seq: 2, at: 2_000 }, carried: [], previous: { id: 'e9', seq: 9 } },
      tokensBefore: 900,
      epoch: 3,
    })
  })
})

describe('messages that an earlier base carried', () => {
  it('go first, once they are neither the newest nor the first', () => {
    const said = [user(words(100)), user(words(100)), ...turns(2)]
    expect(show(trim('oneclaw', said, { carriedCount: 2, dropTokens: 150 }))).toBe('m3 < m1 m2')
    expect(show(trim('oneclaw', said, { carriedCount: 2, dropTokens: 50 }))).toBe('m3 < m1 m2')
    expect(show(trim('micro', said, { carriedCount: 2, dropTokens: 50 }))).toBe('m1 … m3 < m2')
  })

  it('the first ask is one where a ledger was to tell it and there is none', () => {
    const said = [user(words(100)), assistant(words(100)), ...turns(2)]
    expect(show(trim('longhaul', said, { dropTokens: 50, holdsFirstAsk: true }))).toContain('m1')
    expect(trim('longhaul', said, { dropTokens: 50 })?.dropped.map(({ entry }) => entry.id)).toContain('m1')
    expect(
      trim('longhaul', said, { dropTokens: 50, holdsFirstAsk: true })?.dropped.map(({ entry }) => entry.id),
    ).not.toContain('m1')
  })

  it('nothing goes where nothing must', () => {
    expect(trim('oneclaw', [user(words(100)), ...turns(2)], { carriedCount: 1, dropTokens: -20 })).toBeNull()
  })

  it('are never where the base moves to', () => {
    expect(show(trim('oneclaw', [user('a'), ...turns(2)], { carriedCount: 1, dropTokens: 1 }))).toBe('m2 < m1')
    expect(trim('micro', [user('a')], { carriedCount: 1, dropTokens: 1 })).toBeNull()
    expect(trim('oneclaw', [user(words(100)), user('b')], { carriedCount: 2, dropTokens: 1 })).toBeNull()
  })
})

describe('for any conversation', () => {
  it('MICRO-05 ONE-14 it cuts legally, drops something, and drops enough unless all that may go is gone', () => {
    fc.assert(
      fc.property(
        arbitraryItems(),
        fc.constantFrom('oneclaw', 'micro'),
        fc.nat({ max: 500 }),
        fc.nat({ max: 10 }),
        (list, preset, dropTokens, dropMessages) => {
          const plan = planTrim(inputOf(preset, { items: list, dropTokens, dropMessages }))
          if (plan === null) return
          const messages = list.map((item) => item.message)
          const start =
            plan.move.firstKept === null
              ? list.length
              : list.findIndex(({ entry }) => entry.id === plan.move.firstKept?.id)
          expect(findCutPoints(messages).isLegal(start)).toBe(true)
          expect(plan.dropped.length).toBeGreaterThan(0)
          if (start < list.length) expect(plan.dropped.length).toBeGreaterThanOrEqual(dropMessages)
          const dropped = new Set(plan.dropped)
          for (const index of [
            findNewestUserMessage(messages),
            preset === 'micro' ? findFirstUserMessage(messages) : -1,
          ]) {
            const item = list[index]
            if (item !== undefined) expect(dropped.has(item)).toBe(false)
          }
        },
      ),
    )
  })
})
