import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../policy/limits.ts'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import type { Message } from '../transcript/message.ts'
import { planCompaction } from './plan-compaction.ts'
import type { CompactionInput } from './plan-compaction.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const turn = (tokens: number): readonly Message[] => [user(words(tokens)), assistant(words(tokens))]
const turns = (count: number, tokens = 10): readonly Message[] =>
  Array.from({ length: count }, () => turn(tokens)).flat()

function plan(preset: PresetName, messages: readonly Message[], change: Partial<CompactionInput> = {}) {
  const policy = PRESETS[preset]
  return planCompaction({
    items: items(...messages),
    carriedCount: 0,
    base: null,
    document: null,
    epoch: 7,
    policy,
    limits: resolveLimits(policy, { windowTokens: 200_000 }),
    tokensBefore: 100,
    ratio: 1,
    reason: 'threshold',
    strategy: policy.compaction.strategy,
    ...change,
  })
}

describe('planCompaction', () => {
  it('ONE-11 ONE-02 says what is summarised, what stays and from where on', () => {
    const base = { id: 'e9', seq: 9 }
    expect(plan('oneclaw', [...turn(100), ...turn(25_000)], { base, instructions: 'be brief' })).toMatchObject({
      action: 'compact',
      reason: 'threshold',
      strategy: 'summarize',
      instructions: 'be brief',
      move: { fromSeq: 3, firstKept: { id: 'm3', seq: 3, at: 3_000 }, carried: [], previous: base },
      span: [{ entry: { id: 'm1' } }, { entry: { id: 'm2' } }],
      previousDocument: null,
      tokensBefore: 100,
      spanTokens: 200,
      epoch: 7,
    })
  })

  it('never summarises what it carries', () => {
    const made = plan('oneclaw', [...turn(100), user('ask'), assistant(words(60_000)), assistant(words(60_000))])
    expect(made).toMatchObject({ move: { firstKept: { id: 'm5' }, carried: [{ id: 'm3', seq: 3 }] } })
    expect(made.action === 'compact' ? made.span.map((item) => item.entry.id) : []).toEqual(['m1', 'm2', 'm4'])
  })

  it('keeps nothing but the carried message where the exchange under way is too large; what comes meanwhile is kept', () => {
    const made = plan('oneclaw', [...turn(100), user('ask'), assistant(call('a')), tool(result('a', words(150_000)))])
    expect(made).toMatchObject({ move: { fromSeq: 6, firstKept: null, carried: [{ seq: 3 }] } })
  })

  it('counts the span in billed tokens', () => {
    expect(plan('oneclaw', [...turn(101), ...turn(5_000)], { ratio: 1.5 })).toMatchObject({ action: 'none' })
    expect(plan('oneclaw', [...turn(101), ...turn(20_000)], { ratio: 1.25 })).toMatchObject({ spanTokens: 253 })
  })
})

describe('an automatic compaction', () => {
  const said = [...turn(1_000), ...turn(25_000)]

  it('is not begun where half of the span is less than a twentieth of the context', () => {
    expect(plan('oneclaw', said, { tokensBefore: 20_001 })).toEqual({ action: 'none', reason: 'too-little-to-gain' })
    expect(plan('oneclaw', said, { tokensBefore: 20_000 })).toMatchObject({ spanTokens: 2_000 })
    expect(plan('oneclaw', said, { tokensBefore: 20_001, reason: 'window' })).toMatchObject({ spanTokens: 2_000 })
  })

  it('prepared ahead keeps so much less as will be said until the threshold', () => {
    const many = turns(40, 1_000)
    const keptBy = (change: Partial<CompactionInput>): number => {
      const made = plan('longhaul', many, change)
      return made.action === 'compact' ? made.kept.length : 0
    }
    const { triggerTokens, keepTokens } = resolveLimits(PRESETS.longhaul, { windowTokens: 200_000 }) ?? {
      triggerTokens: 0,
      keepTokens: 0,
    }
    const atOnce = keptBy({ tokensBefore: triggerTokens })
    expect(keptBy({ tokensBefore: triggerTokens, reason: 'prepared' })).toBe(atOnce)
    expect(keptBy({ tokensBefore: triggerTokens - keepTokens / 2, reason: 'prepared' })).toBeLessThan(atOnce)
    expect(keptBy({ tokensBefore: triggerTokens - 2 * keepTokens, reason: 'prepared' })).toBe(2)
  })
})

describe('ONE-15 nothing to do', () => {
  it.each([
    ['the window is unknown', turns(9, 20_000), { limits: null }, 'window-unknown'],
    ['there are no messages', [], {}, 'no-messages'],
    ['there is only one user message', [user(words(190_000))], {}, 'too-few-messages'],
    ['everything is inside the protected part', turns(4), {}, 'all-protected'],
    ['only user messages, inside the protected part', [user('a'), user('b'), user('c')], {}, 'all-protected'],
  ] as const)('where %s', (_why, messages, change, reason) => {
    expect(plan('oneclaw', messages, change)).toEqual({ action: 'none', reason })
  })

  it('is the same answer however often it is asked, for whatever automatic reason', () => {
    for (const reason of ['threshold', 'prepared'] as const) {
      expect(plan('oneclaw', turns(4), { reason, tokensBefore: 171_000 })).toEqual({
        action: 'none',
        reason: 'all-protected',
      })
    }
  })

  it('only user messages beyond the protected part are summarised, but for the newest', () => {
    expect(plan('oneclaw', [user(words(40_000)), user(words(40_000)), user(words(40_000))])).toMatchObject({
      action: 'compact',
      move: { firstKept: { id: 'm3' } },
    })
  })
})

describe('SPEC-04 ten messages or fewer', () => {
  it('are left alone, eleven are not', () => {
    const long = turns(5, 20_000)
    expect(plan('spec008', long)).toEqual({ action: 'none', reason: 'too-few-messages' })
    expect(plan('spec008', [...turn(10), ...turn(10), ...long])).toMatchObject({ action: 'compact' })
  })

  it('unless somebody asks, or the request does not fit', () => {
    for (const reason of ['manual', 'overflow', 'window', 'model-switch'] as const) {
      expect(plan('spec008', turns(5, 20_000), { reason })).toMatchObject({ action: 'compact', reason })
    }
  })
})

describe('MICRO-03 a zone of fewer than two messages', () => {
  it('is left alone', () => {
    expect(plan('micro', [user('task'), assistant('a'), ...turns(3)])).toEqual({
      action: 'none',
      reason: 'all-protected',
    })
    expect(plan('micro', [user('task'), assistant(words(9)), user('b'), ...turns(3)])).toMatchObject({
      action: 'compact',
      move: { carried: [{ seq: 1 }], firstKept: { id: 'm4' } },
      span: [{ entry: { id: 'm2' } }, { entry: { id: 'm3' } }],
    })
  })

  it('MICRO-05 also where a pair at the boundary makes it so', () => {
    const said = [user('task'), assistant('a'), assistant(call('a')), tool(result('a')), ...turns(2), user('b')]
    expect(plan('micro', said)).toEqual({ action: 'none', reason: 'all-protected' })
  })
})

describe('OPEN-14 asked for by hand', () => {
  it('a short conversation is compacted down to what must be kept', () => {
    expect(plan('longhaul', turns(2), { reason: 'manual' })).toMatchObject({
      action: 'compact',
      move: { firstKept: { id: 'm4' }, carried: [{ seq: 3 }] },
    })
    expect(plan('openclaw', turns(2), { reason: 'manual' })).toMatchObject({ action: 'compact' })
  })

  it('there is nothing to do with one message, or with one message and the exchange under way', () => {
    expect(plan('longhaul', [user('hi')], { reason: 'manual' })).toEqual({ action: 'none', reason: 'too-few-messages' })
    expect(plan('longhaul', [user('hi'), assistant('ho')], { reason: 'manual' })).toEqual({
      action: 'none',
      reason: 'all-protected',
    })
  })

  it('nor with what an earlier compaction left: carried messages and the last one', () => {
    const left = [user('task'), user('ask'), assistant('answer')]
    expect(plan('micro', left, { reason: 'manual', carriedCount: 2 })).toEqual({
      action: 'none',
      reason: 'all-protected',
    })
  })
})

describe('messages that an earlier compaction carried', () => {
  it('are summarised once newer ones take their place', () => {
    const said = [user('task'), user('old ask'), ...turns(5)]
    const made = plan('micro', said, { carriedCount: 2 })
    expect(made).toMatchObject({ move: { carried: [{ seq: 1 }], firstKept: { id: 'm7' } } })
    expect(made.action === 'compact' ? made.span.map((item) => item.entry.id) : []).toContain('m2')
  })

  it('are never where the base moves to: it would bring back what lies between them', () => {
    expect(plan('oneclaw', [user('task'), ...turns(2, 100)], { carriedCount: 1 })).toEqual({
      action: 'none',
      reason: 'all-protected',
    })
  })
})
