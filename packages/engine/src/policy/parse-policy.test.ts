import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePolicy } from './parse-policy.ts'
import { EngineError } from './engine-error.ts'
import type { InputIssue } from './engine-error.ts'
import { POLICY_KEYS } from './policy-keys.ts'
import type { ContextPolicy, PolicyPatch } from './policy.ts'
import { PRESETS } from './presets.ts'
import type { GroupKeys } from './value-kinds.ts'

const { longhaul, openclaw, oneclaw, micro } = PRESETS

describe('parsePolicy: merging', () => {
  it('returns what it was given where nothing is set', () => {
    expect(parsePolicy(longhaul)).toStrictEqual(longhaul)
    expect(parsePolicy(longhaul, undefined, null, {})).toStrictEqual(longhaul)
    expect(parsePolicy(longhaul, { compaction: undefined })).toStrictEqual(longhaul)
  })

  it('SPEC-02 OPEN-17 lays an agent over the defaults and a session over both, key by key', () => {
    const defaults = { contextPruning: { softTrim: { maxChars: 5_000 } }, compaction: { retries: 3 } }
    const agent = { contextPruning: { softTrim: { headChars: 100 }, mode: 'age' }, compaction: { retries: 4 } }
    const session = { contextPruning: { mode: 'off' } }
    const policy = parsePolicy(longhaul, defaults, agent, session)
    expect(policy.contextPruning).toStrictEqual({
      ...longhaul.contextPruning,
      mode: 'off',
      softTrim: { maxChars: 5_000, headChars: 100, tailChars: 1_500 },
    })
    expect(policy.compaction).toStrictEqual({ ...longhaul.compaction, retries: 4 })
  })

  it('replaces lists and does not share them', () => {
    const deny = ['bash']
    const policy = parsePolicy(longhaul, { contextPruning: { tools: { deny } } })
    deny.push('read')
    expect(policy.contextPruning.tools).toStrictEqual({ allow: ['*'], deny: ['bash'] })
  })

  it('never changes the policy or the patches', () => {
    const base = deepFreeze(structuredClone(longhaul))
    const patch = deepFreeze({
      compaction: { triggerTokens: 9_000, memoryFlush: { enabled: false }, preview: { toolInputChars: 5 } },
    })
    expect(parsePolicy(base, patch, patch).compaction.triggerTokens).toBe(9_000)
    expect(base).toStrictEqual(longhaul)
    expect(base.compaction.memoryFlush.enabled).toBe(true)
  })
})

describe('parsePolicy: values', () => {
  it.each<[string, PolicyPatch | object, (policy: ContextPolicy) => unknown, unknown]>([
    ['a duration in minutes', { contextPruning: { ttl: '10m' } }, (p) => p.contextPruning.ttl, 600_000],
    ['a duration in milliseconds', { contextPruning: { ttl: 1_234 } }, (p) => p.contextPruning.ttl, 1_234],
    ['a timeout in seconds', { compaction: { timeoutMs: '30s' } }, (p) => p.compaction.timeoutMs, 30_000],
    ['a heartbeat', { heartbeat: { every: '45m' } }, (p) => p.heartbeat.every, 2_700_000],
    ['a heartbeat that is "off"', { heartbeat: { every: 'off' } }, (p) => p.heartbeat.every, null],
    ['a prepareRatio that is false', { compaction: { prepareRatio: false } }, (p) => p.compaction.prepareRatio, null],
    ['a preview that is null', { compaction: { preview: null } }, (p) => p.compaction.preview, null],
    ['a preview that is "off"', { compaction: { preview: 'off' } }, (p) => p.compaction.preview, null],
    ['maxInputChars as a number', { compaction: { maxInputChars: 5 } }, (p) => p.compaction.maxInputChars, 5],
    [
      'maxInputChars "chunked"',
      { compaction: { maxInputChars: 'chunked' } },
      (p) => p.compaction.maxInputChars,
      'chunked',
    ],
    [
      'keepFirstUserMessage false',
      { compaction: { keepFirstUserMessage: false } },
      (p) => p.compaction.keepFirstUserMessage,
      false,
    ],
    [
      'keepFirstUserMessage "ledger"',
      { compaction: { keepFirstUserMessage: 'ledger' } },
      (p) => p.compaction.keepFirstUserMessage,
      'ledger',
    ],
    ['contextTokens', { contextTokens: 64_000 }, (p) => p.contextTokens, 64_000],
    ["a strategy of one's own", { compaction: { strategy: 'mine' } }, (p) => p.compaction.strategy, 'mine'],
    ['a ratio of 1', { contextPruning: { hardClearRatio: 1 } }, (p) => p.contextPruning.hardClearRatio, 1],
    [
      "no words of one's own",
      { contextPruning: { hardClear: { placeholder: 'off' } } },
      (p) => p.contextPruning.hardClear.placeholder,
      null,
    ],
  ])('reads %s', (_, patch, pick, expected) => {
    expect(pick(parsePolicy(longhaul, patch))).toBe(expected)
  })

  it('starts a group that was off from its own defaults', () => {
    expect(parsePolicy(oneclaw, { compaction: { preview: { toolInputChars: 80 } } }).compaction.preview).toStrictEqual({
      toolInputChars: 80,
      resultMaxChars: 700,
      resultHeadChars: 500,
      resultTailChars: 200,
    })
    expect(parsePolicy(micro, { compaction: { summaryWords: { max: 900 } } }).compaction.summaryWords).toStrictEqual({
      min: 200,
      max: 900,
    })
  })

  it.each<[object, InputIssue]>([
    [
      { compaction: { retries: '1' } },
      { path: 'compaction.retries', expected: 'a whole number, 0 or more', got: '"1"' },
    ],
    [{ compaction: { retries: -1 } }, { path: 'compaction.retries', expected: 'a whole number, 0 or more', got: '-1' }],
    [
      { compaction: { retries: 1.5 } },
      { path: 'compaction.retries', expected: 'a whole number, 0 or more', got: '1.5' },
    ],
    [
      { compaction: { retries: Number.NaN } },
      { path: 'compaction.retries', expected: 'a whole number, 0 or more', got: 'NaN' },
    ],
    [
      { compaction: { retries: null } },
      { path: 'compaction.retries', expected: 'a whole number, 0 or more', got: 'null' },
    ],
    [{ contextTokens: 0 }, { path: 'contextTokens', expected: 'a whole number, 1 or more, or "off"', got: '0' }],
    [
      { contextTokens: Number.POSITIVE_INFINITY },
      { path: 'contextTokens', expected: 'a whole number, 1 or more, or "off"', got: 'Infinity' },
    ],
    [
      { compaction: { triggerRatio: 85 } },
      { path: 'compaction.triggerRatio', expected: 'a number above 0 and at most 1, or "off"', got: '85' },
    ],
    [
      { contextPruning: { softTrimRatio: 0 } },
      { path: 'contextPruning.softTrimRatio', expected: 'a number above 0 and at most 1', got: '0' },
    ],
    [
      { compaction: { temperature: 2.1 } },
      { path: 'compaction.temperature', expected: 'a number from 0 to 2', got: '2.1' },
    ],
    [{ compaction: { enabled: 'yes' } }, { path: 'compaction.enabled', expected: 'true or false', got: '"yes"' }],
    [{ compaction: { model: ' ' } }, { path: 'compaction.model', expected: 'a text', got: '" "' }],
    [
      { contextPruning: { ttl: '5 minutes' } },
      {
        path: 'contextPruning.ttl',
        expected: 'a duration: milliseconds, or a text such as "30s", "5m", "1h"',
        got: '"5 minutes"',
      },
    ],
    [
      { contextPruning: { mode: 'ttl' } },
      { path: 'contextPruning.mode', expected: '"off", "cache-ttl", "age", "size"', got: '"ttl"' },
    ],
    [
      { contextPruning: { tools: { deny: 'bash' } } },
      { path: 'contextPruning.tools.deny', expected: 'a list of tool names, * allowed', got: '"bash"' },
    ],
    [{ compaction: true }, { path: 'compaction', expected: 'an object', got: 'true' }],
    [{ compaction: null }, { path: 'compaction', expected: 'an object', got: 'null' }],
    [{ compaction: [] }, { path: 'compaction', expected: 'an object', got: '[]' }],
    [
      { compaction: { maxInputChars: 'whole' } },
      {
        path: 'compaction.maxInputChars',
        expected: 'a whole number, 1 or more, or "chunked", or "off"',
        got: '"whole"',
      },
    ],
    [
      { compaction: { preview: { toolInputChars: 'all' } } },
      { path: 'compaction.preview.toolInputChars', expected: 'a whole number, 0 or more', got: '"all"' },
    ],
  ])('refuses %j', (patch, issue) => {
    expect(issuesOf(patch)).toStrictEqual([issue])
  })

  it.each<[unknown, string]>([
    ['micro', '"micro"'],
    [7, '7'],
    [false, 'false'],
    [['compaction'], '["compaction"]'],
  ])('refuses a policy that is %j', (patch, got) => {
    expect(issuesOf(patch)).toStrictEqual([{ path: '(policy)', expected: 'an object', got }])
  })

  it('shortens what it quotes', () => {
    expect(issuesOf({ compaction: { enabled: 'x'.repeat(500) } })[0]?.got).toBe(`"${'x'.repeat(56)}…`)
  })
})

describe('parsePolicy: keys', () => {
  it.each<[object, string, string | undefined]>([
    [{ compactoin: {} }, 'compactoin', 'compaction'],
    [{ compaction: { triggerratio: 0.5 } }, 'compaction.triggerratio', 'triggerRatio'],
    [{ compaction: { keepRecentToken: 5 } }, 'compaction.keepRecentToken', 'keepRecentTokens'],
    [{ compaction: { memoryFlush: { softTreshold: 1 } } }, 'compaction.memoryFlush.softTreshold', undefined],
    [{ contextPruning: { softTrim: { headChar: 1 } } }, 'contextPruning.softTrim.headChar', 'headChars'],
    [{ contextPruning: { keepLastAsistants: 1 } }, 'contextPruning.keepLastAsistants', 'keepLastAssistants'],
    [{ banana: 1 }, 'banana', undefined],
    [{ toString: 1 }, 'toString', undefined],
    [{ compaction: { constructor: {} } }, 'compaction.constructor', undefined],
  ])('names the unknown key in %j and the nearest known one', (patch, path, suggestion) => {
    expect(issuesOf(patch)).toStrictEqual([
      { path, expected: 'a known key', got: 'an unknown one', ...(suggestion === undefined ? {} : { suggestion }) },
    ])
  })

  it('lists every issue of every patch at once, one a line', () => {
    const error = errorOf({ compaction: { retries: -1, enabld: true } }, { estimator: 'exact' })
    expect(error.code).toBe('invalid-policy')
    expect(error.name).toBe('EngineError')
    expect(error.message).toBe(
      [
        'compaction.retries: expected a whole number, 0 or more, got -1',
        'compaction.enabld: expected a known key, got an unknown one; did you mean enabled?',
        'estimator: expected "plain", "classes", got "exact"',
      ].join('\n'),
    )
    expect(error.issues).toHaveLength(3)
  })

  it.each([
    '{"__proto__":{"polluted":1}}',
    '{"compaction":{"__proto__":{"polluted":1}}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ])('refuses %s and pollutes nothing', (json) => {
    expect(issuesOf(JSON.parse(json))).toHaveLength(1)
    expect('polluted' in {}).toBe(false)
  })
})

describe('parsePolicy: one of a group', () => {
  it('clears the inherited trigger', () => {
    expect(parsePolicy(longhaul, { compaction: { triggerTokens: 50_000 } }).compaction).toMatchObject({
      triggerTokens: 50_000,
      triggerRatio: null,
      reserveTokens: null,
    })
    expect(parsePolicy(micro, { compaction: { reserveTokens: 0 } }).compaction).toMatchObject({
      triggerTokens: null,
      triggerRatio: null,
      reserveTokens: 0,
    })
  })

  it('clears the inherited keep rule', () => {
    expect(parsePolicy(openclaw, { compaction: { keepTurns: 2 } }).compaction).toMatchObject({
      keepTurns: 2,
      keepRecentTokens: null,
      keepRatio: null,
      keepMessages: null,
    })
  })

  it('lets the last of several patches decide', () => {
    const policy = parsePolicy(
      longhaul,
      { compaction: { triggerTokens: 50_000 } },
      { compaction: { triggerRatio: 0.5 } },
    )
    expect(policy.compaction).toMatchObject({ triggerTokens: null, triggerRatio: 0.5 })
  })

  it('leaves the other group alone', () => {
    expect(parsePolicy(longhaul, { compaction: { keepMessages: 4 } }).compaction.triggerRatio).toBe(0.8)
    expect(parsePolicy(longhaul, { compaction: { retries: 4 } }).compaction.keepRatio).toBe(
      longhaul.compaction.keepRatio,
    )
  })

  it('takes a sibling that is switched off beside the one that is set', () => {
    const policy = parsePolicy(longhaul, { compaction: { triggerRatio: 'off', triggerTokens: 50_000 } })
    expect(policy.compaction).toMatchObject({ triggerRatio: null, triggerTokens: 50_000 })
  })

  it('refuses two at once', () => {
    expect(issuesOf({ compaction: { triggerRatio: 0.5, triggerTokens: 9_000 } })).toStrictEqual([
      {
        path: 'compaction.triggerTokens',
        expected: 'only one of triggerRatio, reserveTokens, triggerTokens',
        got: 'triggerRatio and triggerTokens',
      },
    ])
    expect(issuesOf({ compaction: { keepTurns: 5, keepMessages: 6, keepRatio: 0.2 } })).toStrictEqual([
      {
        path: 'compaction.keepMessages',
        expected: 'only one of keepRatio, keepRecentTokens, keepMessages, keepTurns',
        got: 'keepRatio and keepMessages and keepTurns',
      },
    ])
  })

  it('refuses none at all', () => {
    expect(issuesOf({ compaction: { triggerRatio: null } })).toStrictEqual([
      { path: 'compaction.triggerRatio', expected: 'one of triggerRatio, reserveTokens, triggerTokens', got: 'none' },
    ])
  })
})

describe('parsePolicy: contradictions', () => {
  it.each<[object, string]>([
    [{ contextPruning: { softTrim: { maxChars: 2_000 } } }, 'contextPruning.softTrim'],
    [{ contextPruning: { softTrimRatio: 0.7 } }, 'contextPruning.softTrimRatio'],
    [{ contextPruning: { softTrimAfterTurns: 11 } }, 'contextPruning.softTrimAfterTurns'],
    [{ compaction: { preview: { resultHeadChars: 501 } } }, 'compaction.preview'],
    [{ compaction: { keepRatio: 0.8 } }, 'compaction.keepRatio'],
    [{ compaction: { summaryWords: { min: 600 } } }, 'compaction.summaryWords'],
  ])('refuses %j', (patch, path) => {
    expect(issuesOf(patch).map((issue) => issue.path)).toStrictEqual([path])
  })

  it('judges the whole, not each patch', () => {
    const policy = parsePolicy(
      longhaul,
      { contextPruning: { softTrimRatio: 0.7 } },
      { contextPruning: { hardClearRatio: 0.9 } },
    )
    expect(policy.contextPruning).toMatchObject({ softTrimRatio: 0.7, hardClearRatio: 0.9 })
  })
})

describe('parsePolicy: anything', () => {
  it('returns a policy or throws an EngineError, and nothing else', () => {
    const patch = fc.oneof(fc.anything({ withBigInt: true, withNullPrototype: true }), arbitraryPatch(POLICY_KEYS))
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(PRESETS)), fc.array(patch, { maxLength: 3 }), (base, patches) => {
        const frozen = deepFreeze(structuredClone(base))
        const outcome = attempt(() => parsePolicy(frozen, ...patches))
        const issues = outcome instanceof EngineError ? outcome.issues : []
        const again = outcome instanceof EngineError ? outcome : attempt(() => parsePolicy(base, outcome))
        expect(again).toStrictEqual(outcome)
        expect(outcome instanceof EngineError).toBe(issues.length > 0)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Patches with the right keys and values that are right now and then. */
function arbitraryPatch(keys: GroupKeys): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.nat({ max: 100_000 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom('off', '5m', true, false, null, 'head', 'age', 'chunked', 'session', ['*'], Number.NaN, -1),
    fc.anything(),
  )
  const fields = Object.entries(keys).map(([key, kind]): [string, fc.Arbitrary<unknown>] => [
    key,
    kind.group === undefined
      ? value
      : fc.oneof({ weight: 9, arbitrary: arbitraryPatch(kind.group) }, { weight: 1, arbitrary: value }),
  ])
  return fc
    .shuffledSubarray(fields, { maxLength: Math.min(3, fields.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)))
}

function issuesOf(patch: unknown): readonly InputIssue[] {
  return errorOf(patch).issues
}

function errorOf(...patches: readonly unknown[]): EngineError {
  const outcome = attempt(() => parsePolicy(longhaul, ...patches))
  if (outcome instanceof EngineError) return outcome
  throw new Error('nothing was thrown')
}

/** What is returned, or the `EngineError` that is thrown; any other error goes on. */
function attempt<T>(act: () => T): T | EngineError {
  try {
    return act()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
