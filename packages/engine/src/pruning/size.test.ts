import { describe, expect, test } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { applyPrunePlan } from '../testing/apply-prune-plan.ts'
import { assistant, call, items, result, tool, user } from '../testing/build-conversation.ts'
import type { Item } from '../transcript/item.ts'
import type { JsonObject } from '../transcript/json.ts'
import type { Message } from '../transcript/message.ts'
import { planPruning } from './plan-pruning.ts'
import type { PruningInput } from './prune-plan.ts'

const policy = PRESETS.longhaul.contextPruning
const NOW = 10_000_000
const WINDOW = 100_000
const WARM = { lastCallAt: NOW - 1_000 }
const COLD = { lastCallAt: NOW - 5 * 60_000 }

type Step = readonly [toolName: string, input: JsonObject, chars: number]

/** A call and its result for each step, then three closing assistant messages. Step n is answered by seq 2n + 3. */
function conversation(...steps: readonly Step[]): readonly Item[] {
  const messages: Message[] = [user('go')]
  steps.forEach(([toolName, input, chars], index) => {
    messages.push(
      assistant(call(`c${index}`, toolName, input)),
      tool(result(`c${index}`, 'x'.repeat(chars), { toolName })),
    )
  })
  return items(...messages, assistant('a'), assistant('b'), assistant('c'))
}

function plan(steps: readonly Item[], usedTokens: number, change: Partial<PruningInput> = {}) {
  const input = { policy, estimator: 'plain', limits: { windowTokens: WINDOW }, now: NOW, ...WARM, ...change } as const
  return planPruning({ items: steps, usedTokens, ...input })
}

const decided = (planned: ReturnType<typeof plan>) =>
  planned?.decisions.map(({ entry, form }) => `${entry.seq} ${form}`) ?? []

const bash = (chars: number): Step => ['bash', { command: 'make' }, chars]
/** Trimming it frees about so many tokens. */
const frees = (tokens: number) => conversation(bash(3_079 + tokens * 4))
const read = (path: string, chars: number): Step => ['read', { path }, chars]

describe('when', () => {
  const large = conversation(...Array.from({ length: 10 }, () => bash(20_000)))

  test('LH-03 under pressure: above 0.5 of the window', () => {
    expect(plan(large, 50_000)).toBeNull()
    expect(plan(large, 50_001)).not.toBeNull()
  })

  test('LH-03 never while the size or the window is unknown', () => {
    expect(plan(large, 90_000, { limits: null })).toBeNull()
    expect(plan(large, 90_000, { usedTokens: null })).toBeNull()
  })

  test('LH-03 a cold cache alone, above 0.25: a read that was changed later stays, it is the only copy', () => {
    const changed = conversation(read('a', 8_000), ['edit', { path: 'a' }, 10])
    expect(plan(changed, 50_000, COLD)).toBeNull()
    expect(decided(plan(changed, 50_001, COLD))).toEqual(['3 cleared'])
  })

  test('LH-03 a cold cache alone, above 0.25: repeated reads go, the rest stays', () => {
    const stale = conversation(read('a', 8_000), bash(20_000), read('a', 8_000))
    expect(plan(stale, 25_000, COLD)).toBeNull()
    expect(decided(plan(stale, 25_001, COLD))).toEqual(['3 cleared'])
    expect(decided(plan(stale, 25_001, { lastCallAt: null }))).toEqual(['3 cleared'])
    expect(plan(stale, 25_001, { lastCallAt: NOW - 5 * 60_000 + 1 })).toBeNull()
    expect(plan(large, 50_000, COLD)).toBeNull()
  })
})

describe('what pays', () => {
  test('LH-03 a warm cache is not broken for less than 10 % of the window', () => {
    expect(plan(frees(9_980), 60_000)).toBeNull()
    expect(plan(frees(10_020), 60_000)).not.toBeNull()
  })

  test('LH-03 nor for less than 4,096 tokens', () => {
    const small = { limits: { windowTokens: 40_000 } }
    expect(plan(frees(4_080), 24_000, small)).toBeNull()
    expect(plan(frees(4_110), 24_000, small)).not.toBeNull()
  })

  test('LH-03 a warm cache is left alone where a compaction is ahead', () => {
    expect(plan(frees(20_000), 60_000, { isCompactionAhead: true })).toBeNull()
    expect(plan(frees(20_000), 60_000, { isCompactionAhead: true, ...COLD })).not.toBeNull()
    expect(plan(frees(20_000), 60_000)).not.toBeNull()
  })

  test('LH-03 a cold one is free to change', () => {
    expect(plan(frees(1_000), 60_000, COLD)?.reason).toBe('size: 60 % of the window used, cache cold')
  })

  test('LH-03 nothing is replaced to save a few words', () => {
    expect(plan(conversation(read('a', 291), read('a', 10)), 90_000, COLD)).toBeNull()
    expect(plan(conversation(read('a', 292), read('a', 10)), 90_000, COLD)?.freedTokens).toBe(50)
  })
})

describe('by value', () => {
  test('LH-03 a stale read goes first, though others are larger and older', () => {
    const steps = conversation(bash(24_000), read('a', 62_000), read('a', 1_000))
    const planned = plan(steps, 50_001)
    expect(planned?.decisions).toEqual([
      {
        entry: { id: 'm5', seq: 5 },
        part: 0,
        form: 'cleared',
        placeholder: '[Cleared: read a (62,000 characters); it was read again later. Ask recall for seq 5 if needed.]',
      },
    ])
  })

  test('LH-03 every stale read goes, however deep the batch is by then', () => {
    const steps = conversation(read('a', 60_000), read('b', 4_000), ['edit', { path: 'b' }, 10], read('a', 1_000))
    expect(decided(plan(steps, 50_001))).toEqual(['3 cleared', '5 cleared'])
  })

  test('LH-03 then the largest × oldest, until fifteen points below the ratio', () => {
    const steps = conversation(bash(10_000), bash(34_000), bash(12_000), bash(34_000))
    expect(decided(plan(steps, 50_001))).toEqual(['5 soft-trimmed', '9 soft-trimmed'])
    expect(decided(plan(steps, 51_500))).toEqual(['5 soft-trimmed', '9 soft-trimmed', '3 soft-trimmed'].toSorted())
  })

  test('LH-03 then long arguments of old calls', () => {
    const content = 'w'.repeat(40_000)
    const steps = conversation(['write', { path: 'a', content, mode: 'x'.repeat(500) }, 10], bash(5_000))
    const planned = plan(steps, 55_000)
    expect(decided(planned)).toEqual(['2 soft-trimmed', '5 soft-trimmed'])
    const [, written] = applyPrunePlan(steps, planned)
    const note = '[Shortened in this view only: the tool was given the full text. Ask recall for seq 2 if needed.]'
    expect(written?.message).toEqual(
      assistant(
        call('c0', 'write', {
          path: 'a',
          content: `${'w'.repeat(300)}\n...\n${'w'.repeat(200)}\n\n${note}`,
          mode: 'x'.repeat(500),
        }),
      ),
    )
  })

  test('LH-03 clearing comes last, above 0.65, until fifteen points below it', () => {
    const steps = conversation(...Array.from({ length: 12 }, () => bash(4_000)))
    expect(plan(steps, 65_000)).toBeNull()
    const planned = plan(steps, 65_001)
    expect(decided(planned)).toHaveLength(12)
    const more = conversation(...Array.from({ length: 30 }, () => bash(4_000)))
    const cleared = plan(more, 65_001)
    expect(cleared?.decisions.every(({ form }) => form === 'cleared')).toBe(true)
    expect(65_001 - (cleared?.freedTokens ?? 0)).toBeLessThanOrEqual(50_000)
    expect(cleared?.decisions.map(({ entry }) => entry.seq)).toEqual(Array.from({ length: 16 }, (_, n) => 2 * n + 3))
  })

  test('LH-03 clearing to make room names the file too', () => {
    const steps = conversation(...Array.from({ length: 12 }, (_, n) => read(`src/${n}.ts`, 4_000)))
    expect(plan(steps, 70_000)?.decisions[0]).toMatchObject({
      placeholder: '[Cleared: read src/0.ts (4,000 characters), to make room. Ask recall for seq 3 if needed.]',
    })
  })

  test('LH-03 below minPrunableToolChars nothing but stale reads is cleared', () => {
    const steps = conversation(...Array.from({ length: 5 }, () => bash(3_999)))
    expect(plan(steps, 90_000, COLD)).toBeNull()
    expect(decided(plan(conversation(...Array.from({ length: 5 }, () => bash(4_000))), 90_000, COLD))).toHaveLength(5)
  })

  test('LH-03 without hard clearing stale reads are trimmed', () => {
    const off = { ...COLD, policy: { ...policy, hardClear: { enabled: false, placeholder: null } } }
    const steps = conversation(read('a', 9_000), read('b', 4_000), read('a', 10), read('b', 10))
    expect(decided(plan(steps, 30_000, off))).toEqual(['3 soft-trimmed'])
  })
})

describe('left alone', () => {
  const content = 'w'.repeat(40_000)
  const rest = [tool(result('w', 'done', { toolName: 'write' })), assistant('a'), assistant('b'), assistant('c')]

  test('OPEN-06 arguments of the last assistant messages and of open calls', () => {
    const recent = items(user('go'), assistant(call('w', 'write', { content })), ...rest.slice(0, 3))
    expect(plan(recent, 90_000, COLD)).toBeNull()
    const open = items(user('go'), assistant(call('w', 'write', { content })), user('wait'), ...rest.slice(1))
    expect(plan(open, 90_000, COLD)).toBeNull()
  })

  test('OPEN-06 calls that carry provider data', () => {
    const signed = { ...call('w', 'write', { content }), providerOptions: { vendor: { signature: 's' } } }
    expect(plan(items(user('go'), assistant(signed), ...rest), 90_000, COLD)).toBeNull()
    expect(plan(items(user('go'), assistant(call('w', 'write', { content })), ...rest), 90_000, COLD)).not.toBeNull()
  })

  test('OPEN-06 tools that are denied: results and arguments', () => {
    const denied = { policy: { ...policy, tools: { allow: ['*'], deny: ['*'] } } }
    const steps = conversation(['write', { path: 'a', content }, 9_000], read('a', 9_000), read('a', 9_000))
    expect(plan(steps, 90_000, { ...COLD, ...denied })).toBeNull()
  })

  test('OPEN-06 a stale read within the last assistant messages', () => {
    const recent = items(
      user('go'),
      assistant(call('1', 'read', { path: 'a' })),
      tool(result('1', 'x'.repeat(9_000))),
      assistant(call('2', 'read', { path: 'a' })),
      tool(result('2', 'x'.repeat(9_000))),
    )
    expect(plan(recent, 90_000, COLD)).toBeNull()
  })
})

test('LH-03 a trimmed read is cleared once it is stale', () => {
  const before = conversation(read('a', 40_000))
  const trimmed = applyPrunePlan(before, plan(before, 55_000, COLD))
  expect(trimmed[2]?.forms?.get(0)?.form).toBe('soft-trimmed')
  const again = items(
    ...conversation(read('a', 40_000), read('a', 40_000)).map(({ entry }) => ({
      role: entry.role,
      parts: entry.parts,
    })),
  )
  const grown = [...trimmed.slice(0, 3), ...again.slice(3)]
  expect(decided(plan(grown, 30_000, COLD))).toEqual(['3 cleared'])
})
