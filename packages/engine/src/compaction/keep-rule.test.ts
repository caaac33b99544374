import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCutPoints } from '../messages/cut-points.ts'
import { findNewestUserMessage } from '../messages/turns.ts'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import type { Message } from '../transcript/message.ts'
import { findKept } from './keep-rule.ts'
import type { Kept } from './keep-rule.ts'

interface Options {
  readonly windowTokens?: number
  readonly ratio?: number
  readonly keepTokens?: number
}

function keep(preset: PresetName, messages: readonly Message[], options: Options = {}): Kept {
  const { windowTokens = 200_000, ratio = 1, keepTokens } = options
  const policy = PRESETS[preset]
  const limits = resolveLimits(policy, { windowTokens }) as Limits
  return findKept({
    items: items(...messages),
    policy: policy.compaction,
    limits,
    estimator: 'plain',
    ratio,
    ...(keepTokens === undefined ? {} : { keepTokens }),
  })
}

/** So many tokens by characters / 4. */
const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const turn = (tokens: number): readonly Message[] => [user(words(tokens)), assistant(words(tokens))]

describe('ONE-11 the newest messages that fit within 25 % of the window', () => {
  it('stay, to the token', () => {
    const fits = [...turn(10), user(words(20_000)), assistant(words(30_000))]
    expect(keep('oneclaw', fits)).toEqual({ start: 2, carried: [] })
    const over = [...turn(10), user(words(20_001)), assistant(words(30_000))]
    expect(keep('oneclaw', over)).toEqual({ start: 3, carried: [2] })
  })

  it('always hold the newest user message, even if it alone is larger', () => {
    expect(keep('oneclaw', [...turn(10), user(words(60_000))])).toEqual({ start: 2, carried: [] })
    expect(keep('oneclaw', [...turn(10), user(words(150_000))])).toEqual({ start: 3, carried: [2] })
    expect(keep('oneclaw', [...turn(10), user(words(60_000)), assistant('ok'), ...turn(10).slice(1)])).toEqual({
      start: 3,
      carried: [2],
    })
  })

  it('are counted in billed tokens: a ratio of 2 keeps half as much', () => {
    const said = [...turn(10), ...turn(10_000), ...turn(10_000)]
    expect(keep('oneclaw', said).start).toBe(0)
    expect(keep('oneclaw', said, { ratio: 2 }).start).toBe(4)
  })
})

it('OPEN-12 20,000 tokens stay', () => {
  expect(keep('openclaw', [...turn(10), user(words(10_000)), assistant(words(10_000))]).start).toBe(2)
  expect(keep('openclaw', [...turn(10), user(words(10_001)), assistant(words(10_000))])).toEqual({
    start: 3,
    carried: [2],
  })
})

describe('MICRO-04 the first user message and the last six', () => {
  const said = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? user(`u${index}`) : assistant(`a${index}`)))

  it('stay', () => {
    expect(keep('micro', said)).toEqual({ start: 6, carried: [0] })
    expect(keep('micro', [assistant('hello'), ...said])).toEqual({ start: 7, carried: [1] })
    expect(keep('micro', said.slice(0, 6))).toEqual({ start: 0, carried: [] })
  })

  it('MICRO-05 with one more where a result would lose its call', () => {
    const tools = [...said.slice(0, 5), assistant(call('a')), tool(result('a')), ...said.slice(1, 6)]
    expect(keep('micro', tools)).toEqual({ start: 5, carried: [0] })
  })

  it('LH-04 as far as they fit half the trigger: a compaction must free something', () => {
    const large = [...said.slice(0, 6), ...turn(15_000), ...turn(15_000), ...turn(1_000)]
    expect(keep('micro', large)).toEqual({ start: 8, carried: [0] })
  })
})

it('SPEC-04 the last five assistant turns stay, from the user message that opens them', () => {
  const said = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? user(`u${index}`) : assistant(`a${index}`)))
  expect(keep('spec008', said)).toEqual({ start: 6, carried: [] })
  expect(keep('spec008', [...said, user('new')])).toEqual({ start: 6, carried: [] })
})

describe('MICRO-05 parallel calls at the boundary', () => {
  const calls = [call('a'), call('b'), call('c')]
  const exchange = (tokens: number): readonly Message[] => [
    assistant(...calls),
    tool(result('b', words(tokens))),
    tool(result('a', words(tokens)), result('c', words(tokens))),
  ]

  it.each(['oneclaw', 'openclaw', 'longhaul'] as const)('%s keeps less: what fits is a budget', (preset) => {
    const said = [...turn(10), ...exchange(9_000), ...turn(1_000)]
    const budget = { oneclaw: 50_000, openclaw: 20_000, longhaul: 10_000 }[preset]
    const { start } = keep(preset, said)
    expect(start).toBe(budget >= 29_000 ? 0 : 5)
    const larger = [...turn(10), ...exchange(20_000), ...turn(1_000)]
    expect(keep(preset, larger).start).toBe(5)
  })

  it.each(['micro', 'spec008'] as const)('%s keeps more: what counts is messages', (preset) => {
    const before = Array.from({ length: 6 }, () => turn(1)).flat()
    const after = { micro: [...turn(1), ...turn(1)], spec008: [...turn(1), ...turn(1), ...turn(1), ...turn(1)] }[preset]
    const { start, carried } = keep(preset, [...before, ...exchange(1), ...after])
    expect(start).toBe(12)
    expect(carried).toEqual(preset === 'micro' ? [0] : [])
  })

  it('the exchange under way stays whole where half the window holds it, and goes whole where it does not', () => {
    const ask = user('look')
    expect(keep('openclaw', [...turn(10), ask, ...exchange(20_000)])).toEqual({ start: 3, carried: [2] })
    expect(keep('openclaw', [...turn(10), ask, ...exchange(40_000)])).toEqual({ start: 6, carried: [2] })
  })
})

describe('minimal', () => {
  it('keeps the newest user message and the exchange under way only', () => {
    expect(keep('longhaul', [...turn(10), ...turn(10), user('new')], { keepTokens: 0 })).toEqual({
      start: 4,
      carried: [],
    })
    expect(
      keep('longhaul', [...turn(10), user('go'), assistant(call('a')), tool(result('a'))], { keepTokens: 0 }),
    ).toEqual({
      start: 3,
      carried: [2],
    })
    expect(keep('micro', [...turn(10), ...turn(10), user('new')], { keepTokens: 0 })).toEqual({
      start: 4,
      carried: [0],
    })
  })
})

describe('for any conversation', () => {
  it('MICRO-05 cuts only where it is legal, keeps the newest user message, and carries nothing twice', () => {
    fc.assert(
      fc.property(
        arbitraryItems(),
        fc.constantFrom(...Object.values(PRESETS)),
        fc.constantFrom(2_000, 16_000, 200_000),
        fc.constantFrom(0, 1_000),
        (list, policy, windowTokens, keepTokens) => {
          const limits = resolveLimits(policy, { windowTokens }) as Limits
          const { estimator, compaction } = policy
          const { start, carried } = findKept({
            items: list,
            policy: compaction,
            limits,
            estimator,
            ratio: 1,
            keepTokens,
          })
          const messages = list.map((item) => item.message)
          expect(findCutPoints(messages).isLegal(start)).toBe(true)
          expect(carried).toEqual([...new Set(carried)].toSorted((a, b) => a - b))
          expect(carried.every((index) => index < start && messages[index]?.role === 'user')).toBe(true)
          const newest = findNewestUserMessage(messages)
          if (newest >= 0) expect(newest >= start || carried.includes(newest)).toBe(true)
        },
      ),
    )
  })
})
