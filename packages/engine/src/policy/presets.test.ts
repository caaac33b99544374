import { describe, expect, it } from 'vitest'
import { parsePolicy } from './parse-policy.ts'
import { DEFAULT_PRESET, PRESETS, isPresetName } from './presets.ts'
import type { PresetName } from './presets.ts'

const NAMES: readonly PresetName[] = ['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul']

/** `–` in the contract: the key has no effect in this preset. */
const NONE = Symbol('–')

/** CONTRACT, "Policy", row by row, in the order of NAMES. */
const TABLE: readonly (readonly [string, ...(readonly unknown[])])[] = [
  ['bootstrapMaxChars', 20_000, 20_000, 20_000, 20_000, 20_000],
  ['workspaceAccess', 'rw', 'rw', 'rw', 'rw', 'rw'],
  ['heartbeat.every', null, null, null, null, null],
  ['toolDefinitions.maxRatio', 0.2, 0.2, 0.2, 0.2, 0.2],
  ['toolResults.maxChars', 30_000, 30_000, 40_000, 30_000, 30_000],
  ['toolResults.keep', 'head', 'head', 'head', 'head', 'head-tail'],
  ['toolResults.artifacts', false, false, false, false, true],
  ['recall.maxRatio', null, null, null, null, 0.02],
  ['contextPruning.mode', 'off', 'cache-ttl', 'off', 'age', 'size'],
  ['contextPruning.ttl', NONE, 300_000, NONE, NONE, 300_000],
  ['contextPruning.keepLastAssistants', NONE, 3, NONE, 3, 3],
  ['contextPruning.softTrimRatio', NONE, 0.3, NONE, NONE, 0.5],
  ['contextPruning.hardClearRatio', NONE, 0.5, NONE, NONE, 0.65],
  ['contextPruning.minPrunableToolChars', NONE, 50_000, NONE, NONE, 20_000],
  ['contextPruning.softTrim.maxChars', NONE, 4_000, NONE, 4_000, 4_000],
  ['contextPruning.softTrim.headChars', NONE, 1_500, NONE, 1_500, 1_500],
  ['contextPruning.softTrim.tailChars', NONE, 1_500, NONE, 1_500, 1_500],
  ['contextPruning.hardClear.enabled', NONE, true, NONE, true, true],
  [
    'contextPruning.hardClear.placeholder',
    NONE,
    '[Old tool result content cleared]',
    NONE,
    '[Tool result cleared]',
    null,
  ],
  ['contextPruning.softTrimAfterTurns', NONE, NONE, NONE, 3, NONE],
  ['contextPruning.hardClearAfterTurns', NONE, NONE, NONE, 10, NONE],
  ['contextPruning.tools.allow', ['*'], ['*'], ['*'], ['*'], ['*']],
  ['contextPruning.tools.deny', [], [], [], [], []],
  ['compaction.enabled', true, true, true, true, true],
  ['compaction.strategy', 'summarize', 'summarize', 'summarize', 'summarize', 'longhaul'],
  ['compaction.triggerRatio', 0.85, null, null, null, 0.8],
  ['compaction.reserveTokens', null, 16_384, null, 20_000, null],
  ['compaction.reserveTokensFloor', NONE, 20_000, NONE, 20_000, NONE],
  ['compaction.triggerTokens', null, null, 80_000, null, null],
  ['compaction.prepareRatio', null, null, null, null, 0.75],
  ['compaction.check', 'after-response', 'after-response', 'every-step', 'before-turn', 'every-step'],
  ['compaction.timing', 'beside', 'beside', 'before-call', 'before-call', 'beside'],
  ['compaction.keepRatio', 0.25, null, null, null, 0.1],
  ['compaction.keepRecentTokens', null, 20_000, null, null, null],
  ['compaction.keepMessages', null, null, 6, null, null],
  ['compaction.keepTurns', null, null, null, 5, null],
  ['compaction.keepFirstUserMessage', false, false, true, false, 'ledger'],
  ['compaction.placement', 'system-prompt', 'own-message', 'first-user-message', 'system-message', 'own-message'],
  ['compaction.model', 'session', 'session', 'session', 'anthropic/claude-haiku-4-5-20251001', 'session'],
  ['compaction.maxOutputTokens', 2_048, 4_096, 4_096, 1_024, 4_096],
  ['compaction.temperature', 0, 0, 0, 0, 0],
  ['compaction.stream', true, true, false, true, true],
  ['compaction.timeoutMs', 15_000, 15_000, 15_000, 15_000, 15_000],
  ['compaction.backgroundTimeoutMs', NONE, NONE, NONE, NONE, 30_000],
  ['compaction.retries', 1, 1, 1, 1, 1],
  [
    'compaction.preview',
    null,
    null,
    { toolInputChars: 200, resultMaxChars: 700, resultHeadChars: 500, resultTailChars: 200 },
    null,
    { toolInputChars: 200, resultMaxChars: 700, resultHeadChars: 500, resultTailChars: 200 },
  ],
  ['compaction.maxInputChars', null, 'chunked', 100_000, null, 'chunked'],
  ['compaction.fallback', 'trim-oldest', 'trim-oldest', 'trim-count', 'trim-oldest', 'extractive'],
  ['compaction.maxMessages', null, null, 50, null, null],
  ['compaction.memoryFlush.enabled', false, true, false, true, true],
  ['compaction.memoryFlush.softThresholdTokens', NONE, 4_000, NONE, 4_000, 4_000],
  ['compaction.memoryFlush.silentToken', NONE, 'NO_REPLY', NONE, 'SILENT', 'NO_REPLY'],
  ['compaction.memoryFlush.target', NONE, 'files', NONE, 'tool', 'files'],
]

/** Beside the table: what REQUIREMENTS says of each preset. */
const REQUIRED: typeof TABLE = [
  ['contextTokens', null, null, null, null, null],
  ['assumedWindowTokens', null, 200_000, 200_000, 200_000, 200_000], // LH-05
  ['windowGuard.warnBelowTokens', 32_000, 32_000, 32_000, 32_000, 32_000], // OPEN-03
  ['windowGuard.refuseBelowTokens', null, 16_000, null, 16_000, null], // OPEN-03
  ['estimator', 'plain', 'plain', 'plain', 'plain', 'classes'], // ONE-05, LH-01
  ['compaction.minMessages', 0, 0, 0, 10, 0], // SPEC-04
  ['compaction.summaryWords', { min: 200, max: 500 }, null, null, null, null], // MICRO-07
]

const CELLS = [...TABLE, ...REQUIRED].flatMap(([key, ...values]) =>
  NAMES.map((name, index) => ({ name, key, value: values[index] })).filter(({ value }) => value !== NONE),
)

describe('PRESETS', () => {
  it.each(CELLS)('$name has $key = $value', ({ name, key, value }) => {
    expect(lookUp(PRESETS[name], key)).toStrictEqual(value)
  })

  it('has a row for every key of the policy but the prompts', () => {
    const rows = [...TABLE, ...REQUIRED].map(([key]) => key)
    const missing = listKeys(PRESETS.oneclaw, '').filter((key) => !rows.some((row) => isInside(key, row)))
    expect(missing).toStrictEqual([
      'compaction.memoryFlush.systemPrompt',
      'compaction.memoryFlush.prompt',
      'compaction.memoryFlush.timeoutMs',
    ])
  })

  it.each(NAMES)('%s is valid by the rules that configurations must keep', (name) => {
    expect(parsePolicy(PRESETS[name], PRESETS[name])).toStrictEqual(PRESETS[name])
  })

  it('are five, by name, and the default is longhaul', () => {
    expect(Object.keys(PRESETS)).toStrictEqual(NAMES)
    expect(DEFAULT_PRESET).toBe('longhaul')
    expect([...NAMES, 'toString', '__proto__', 'Longhaul', ''].filter(isPresetName)).toStrictEqual(NAMES)
  })
})

function lookUp(policy: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], policy)
}

function listKeys(value: object, path: string): readonly string[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const isGroup = typeof child === 'object' && child !== null && !Array.isArray(child)
    return isGroup ? listKeys(child as object, `${path}${key}.`) : [`${path}${key}`]
  })
}

function isInside(key: string, row: string): boolean {
  return key === row || key.startsWith(`${row}.`)
}
