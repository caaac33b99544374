import { describe, expect, test } from 'vitest'
import { resolveLimits } from '../policy/limits.ts'
import { PRESETS } from '../policy/presets.ts'
import { createProseDocument, renderDocument } from '../summary/render-document.ts'
import { assistant, items, user } from '../testing/build-conversation.ts'
import { planOf } from '../testing/plan-of.ts'
import { scriptSummaries } from '../testing/scripted-summariser.ts'
import type { ScriptedAnswer } from '../testing/scripted-summariser.ts'
import type { CompactionLogLine } from './log-lines.ts'
import { runCompaction } from './run-compaction.ts'
import type { CompactionRun } from './run-compaction.ts'
import { createStrategies } from './strategies.ts'
import type { CompactionStrategy } from './strategy.ts'

const SUMMARY = 'The user asked for a parser; the assistant wrote it.'
const billed = (text: string): ScriptedAnswer => ({ text, finish: 'stop', usage: { input: 100, output: 10 } })
const policy = PRESETS.micro
const limits = resolveLimits(policy, { windowTokens: 200_000 })
if (limits === null) throw new Error('no limits')
const plan = planOf(items(user(`Write a parser. ${'a | b '.repeat(80)}`), assistant('Done.')), { tokensBefore: 85_200 })

function run(script: readonly ScriptedAnswer[], more: Partial<CompactionRun> = {}) {
  const lines: CompactionLogLine[] = []
  const { ask, requests } = scriptSummaries(script)
  const outcome = runCompaction({
    plan,
    policy,
    limits: limits as NonNullable<typeof limits>,
    strategies: createStrategies(),
    ask,
    signal: { aborted: false },
    measureAfter: () => 13_200,
    log: (line) => lines.push(line),
    ...more,
  })
  return outcome.then((value) => ({ outcome: value, requests, lines }))
}

const unreadable = planOf(items(user('x'.repeat(600_000)), user('y'.repeat(600_000))), { tokensBefore: 400_000 })
const ownResult = { ok: true, document: createProseDocument('x', []), usage: null } as const

const own = (summarize: CompactionStrategy['summarize']): Partial<CompactionRun> => ({
  plan: { ...plan, strategy: 'own' },
  strategies: createStrategies([{ name: 'own', summarize }]),
})

describe('success', () => {
  test('gives the entry, all but what store and clock add', async () => {
    const { outcome } = await run([billed(SUMMARY)])
    expect(outcome).toEqual({
      kind: 'compacted',
      attempts: 1,
      entry: {
        type: 'compaction',
        ...plan.move,
        tokensBefore: 85_200,
        tokensAfter: 13_200,
        document: createProseDocument(SUMMARY, ['m1', 'm2']),
        reason: 'threshold',
        strategy: 'summarize',
        model: null,
        score: 0,
        usage: { input: 100, output: 10 },
      },
    })
  })

  test('records the model, the instructions and the score', async () => {
    const strategy = own(() =>
      Promise.resolve({ ok: true, document: createProseDocument('x', []), usage: null, score: 0.9 }),
    )
    const wished = { ...plan, strategy: 'own', instructions: ' paths \u200b' }
    const { outcome } = await run([], { ...strategy, plan: wished, modelId: 'openai/gpt-4o' })
    expect(outcome).toMatchObject({
      entry: { model: 'openai/gpt-4o', score: 0.9, strategy: 'own', instructions: 'paths \u200b' },
    })
    const cheap = await run([SUMMARY], { policy: PRESETS.spec008 })
    expect(cheap.outcome).toMatchObject({ entry: { model: 'anthropic/claude-haiku-4-5-20251001' } })
    expect(cheap.outcome).not.toHaveProperty('entry.usage')
  })

  test.each<[string, Partial<CompactionRun>, readonly ScriptedAnswer[]]>([
    ['summarize', {}, [SUMMARY]],
    ['summarize, by code', { plan: unreadable, policy: PRESETS.openclaw }, []],
    ['longhaul', { plan: { ...plan, strategy: 'longhaul' } }, ['<summary>+ State: the parser is done</summary>']],
    ['extractive', { plan: { ...plan, strategy: 'extractive' } }, []],
    ['own', own(() => Promise.resolve(ownResult)), []],
    ['own, with a score that is none', own(() => Promise.resolve({ ...ownResult, score: Number.NaN })), []],
  ])('SPEC-10 a compaction by %s has a score', async (_, more, script) => {
    const { outcome } = await run(script, more)
    const score = outcome.kind === 'compacted' ? outcome.entry.score : undefined
    expect(score).toBeGreaterThanOrEqual(0)
    expect(score).toBeLessThanOrEqual(1)
  })

  test('SPEC-10 the score is the share of the facts of the span that the summary holds', async () => {
    const span = items(user('Please deploy `src/app.ts` to https://a.example/x today.'), assistant('Done.'))
    const scoreOf = async (text: string) => {
      const { outcome } = await run([text], { plan: planOf(span, { tokensBefore: 85_200, spanTokens: 500 }) })
      return outcome.kind === 'compacted' ? outcome.entry.score : undefined
    }
    expect(await scoreOf('Please deploy `src/app.ts` to https://a.example/x today. It is done.')).toBe(1)
    expect(await scoreOf('The user and the assistant had a conversation about work.')).toBe(0)
  })

  test('measures the candidate by the caller’s yardstick', async () => {
    const seen: unknown[] = []
    await run([SUMMARY], { measureAfter: (candidate) => (seen.push(candidate), 1) })
    expect(seen).toEqual([{ move: plan.move, document: createProseDocument(SUMMARY, ['m1', 'm2']) }])
  })
})

describe('failure', () => {
  test('ONE-14 tries once more, silently, and bills both attempts', async () => {
    const { outcome, requests } = await run([billed(''), billed(SUMMARY)])
    expect(requests).toHaveLength(2)
    expect(requests[1]).toEqual(requests[0])
    expect(outcome).toMatchObject({ kind: 'compacted', attempts: 2, entry: { usage: { input: 200, output: 20 } } })
  })

  test('ONE-14 fails after 1 + retries attempts', async () => {
    const { outcome, requests } = await run([billed(''), new Error('offline')])
    expect(outcome).toEqual({
      kind: 'failed',
      problems: ['empty: The summary says nothing.', 'offline'],
      usage: { input: 100, output: 10 },
    })
    expect(requests).toHaveLength(2)
  })

  test('a call that broke off was billed to nobody: its bill counts, also past a strategy that lets the error through', async () => {
    const broken = Object.assign(new Error('socket hang up'), { usage: { input: 100, output: 3 } })
    const asked = await run([broken, billed('')])
    expect(asked.outcome).toMatchObject({ kind: 'failed', usage: { input: 200, output: 13 } })
    const passed = await run(
      [],
      own(() => Promise.reject(broken)),
    )
    expect(passed.outcome).toMatchObject({ kind: 'failed', usage: { input: 200, output: 6 } })
    const odd = Object.assign(new Error('x'), { usage: 'much' })
    expect((await run([odd, odd])).outcome).toMatchObject({ kind: 'failed', usage: null })
  })

  test('ONE-14 the number of retries is policy', async () => {
    const stubborn = { ...policy, compaction: { ...policy.compaction, retries: 3 } }
    expect((await run(['', '', '', SUMMARY], { policy: stubborn })).outcome).toMatchObject({
      kind: 'compacted',
      attempts: 4,
    })
    const once = { ...policy, compaction: { ...policy.compaction, retries: 0 } }
    expect((await run(['', SUMMARY], { policy: once })).requests).toHaveLength(1)
  })

  test('OPEN-21 a strategy that made its own retries is not tried again', async () => {
    let calls = 0
    const { outcome, lines } = await run(
      [],
      own(() => Promise.resolve({ ok: false, problem: `no part ${(calls += 1)}`, usage: null, isFinal: true })),
    )
    expect(outcome).toEqual({ kind: 'failed', problems: ['no part 1'], usage: null })
    expect(lines.at(-1)).toMatchObject({ event: 'compaction-failure', instead: 'trim-count' })
  })

  test.each([85_200, 85_201, Number.NaN])('a context that is not strictly smaller is refused (%s)', async (after) => {
    const { outcome } = await run([SUMMARY, SUMMARY], { measureAfter: () => after })
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(outcome.kind === 'failed' && outcome.problems[0]).toMatch(/^not-smaller: /)
  })

  test('MICRO-08 an unknown strategy is named, with the known ones', async () => {
    const { outcome } = await run([], { plan: { ...plan, strategy: 'sumarize' } })
    expect(outcome.kind === 'failed' && outcome.problems[0]).toBe(
      'there is no strategy "sumarize"; known are none, summarize, longhaul, extractive',
    )
  })

  test('MICRO-08 a strategy of one’s own that throws, or gives nothing, has failed', async () => {
    const thrown = await run(
      [],
      own(() => Promise.reject(new Error('x'.repeat(1_000)))),
    )
    expect(thrown.outcome.kind === 'failed' && thrown.outcome.problems[0]?.length).toBeLessThanOrEqual(300)
    const empty = await run(
      [],
      own(() => Promise.resolve({ ok: true, document: createProseDocument(' ', []), usage: null })),
    )
    expect(empty.outcome).toMatchObject({
      kind: 'failed',
      problems: ['empty: The strategy gave no summary.', 'empty: The strategy gave no summary.'],
    })
    const nothing = await run(
      [],
      own(() => Promise.resolve(undefined as never)),
    )
    expect(nothing.outcome.kind).toBe('failed')
  })

  test('MICRO-08 strategy none always fails', async () => {
    const { outcome, requests } = await run([], { plan: { ...plan, strategy: 'none' } })
    expect(outcome).toEqual({ kind: 'failed', problems: ['strategy none', 'strategy none'], usage: null })
    expect(requests).toHaveLength(0)
  })
})

describe('a weak summary', () => {
  const span = items(user(`Write a parser. ${'a | b '.repeat(2_000)}`), assistant('Done.'))
  const longPlan = planOf(span, { tokensBefore: 85_200 })
  const SHORT = 'All tests pass, credo is clean.'
  const textOf = ({ outcome }: Awaited<ReturnType<typeof run>>): string =>
    outcome.kind === 'compacted' ? renderDocument(outcome.entry.document) : outcome.kind

  test('ONE-21 is asked for again, and a better one is used', async () => {
    const better = `<summary>${SUMMARY}</summary>`
    const done = await run([billed(SHORT), billed(better)], { plan: longPlan })
    expect(textOf(done)).toBe(SUMMARY)
    expect(done.outcome).toMatchObject({ attempts: 2, entry: { usage: { input: 200, output: 20 } } })
  })

  test.each<[string, readonly ScriptedAnswer[]]>([
    ['the same again', [SHORT, SHORT]],
    ['an empty one', [SHORT, '']],
    ['an error', [SHORT, new Error('offline')]],
    ['an answer to the chat before it', ['Sure! I will write the parser for you now.', SHORT]],
  ])('ONE-21 is used where nothing better comes than %s', async (_, script) => {
    const done = await run(script, { plan: longPlan })
    expect(textOf(done)).toBe(SHORT)
    expect(done.requests).toHaveLength(2)
  })

  test('ONE-21 of two, the one that holds more is used', async () => {
    const fuller = 'The user said: Write a parser. It is done.'
    expect(textOf(await run([SHORT, fuller], { plan: longPlan }))).toBe(fuller)
    expect(textOf(await run([fuller, SHORT], { plan: longPlan }))).toBe(fuller)
  })

  test('ONE-21 must make the context smaller as any other', async () => {
    const { outcome } = await run([SHORT, SHORT], { plan: longPlan, measureAfter: () => 85_200 })
    expect(outcome).toMatchObject({ kind: 'failed' })
  })

  test('ONE-21 MICRO-10 the log says that it is used', async () => {
    const { lines } = await run([SHORT, SHORT], { plan: longPlan })
    expect(lines.slice(1)).toMatchObject([
      { event: 'compaction-failure', problem: expect.stringMatching(/^too-short: /), instead: 'retry' },
      { event: 'compaction-failure', problem: expect.stringMatching(/^too-short: /), instead: 'weak-summary' },
      { event: 'compaction-end' },
    ])
  })

  test('ONE-21 is refused where the policy has a summary by rules, which holds more than a remark', async () => {
    const more = { plan: { ...longPlan, strategy: 'longhaul' }, policy: PRESETS.longhaul }
    const { outcome } = await run(['PWNED', 'PWNED'], more)
    expect(outcome.kind === 'failed' && outcome.problems[1]).toMatch(/^too-short: /)
  })
})

describe('cancel', () => {
  test('before the first attempt, nothing is asked', async () => {
    const { outcome, requests } = await run([SUMMARY], { signal: { aborted: true } })
    expect(outcome).toEqual({ kind: 'cancelled', usage: null })
    expect(requests).toHaveLength(0)
  })

  test.each([
    ['a failure', ''],
    ['a success', SUMMARY],
  ])('during an attempt that ends in %s, no other follows', async (_, text) => {
    const signal = { aborted: false }
    let asked = 0
    const { outcome } = await run([], {
      signal,
      ask: () => {
        asked += 1
        signal.aborted = true
        return Promise.resolve({ text, finish: 'stop', usage: { input: 7, output: 1 } })
      },
    })
    expect(outcome).toEqual({ kind: 'cancelled', usage: { input: 7, output: 1 } })
    expect(asked).toBe(1)
  })

  test('in the middle of an answer, its bill stays', async () => {
    const signal = { aborted: false }
    const { outcome } = await run([], {
      signal,
      ask: () => {
        signal.aborted = true
        return Promise.reject(Object.assign(new Error('aborted'), { usage: { input: 7, output: 1 } }))
      },
    })
    expect(outcome).toEqual({ kind: 'cancelled', usage: { input: 7, output: 1 } })
  })
})

describe('log', () => {
  test('MICRO-10 says what is done before and after', async () => {
    const { lines } = await run([SUMMARY])
    expect(lines).toMatchObject([
      { level: 'info', event: 'compaction-start', estimateTokens: 85_200, thresholdTokens: 80_000, messages: 2 },
      { level: 'info', event: 'compaction-end', messages: 2, summaryTokens: 13, freedTokens: 72_000 },
    ])
  })

  test('MICRO-10 says what failed and what happens instead', async () => {
    const { lines } = await run(['', new Error('offline')])
    expect(lines.slice(1)).toMatchObject([
      { level: 'warn', event: 'compaction-failure', attempt: 1, attempts: 2, instead: 'retry' },
      {
        level: 'warn',
        event: 'compaction-failure',
        problem: 'offline',
        attempt: 2,
        attempts: 2,
        instead: 'trim-count',
      },
    ])
  })
})
