import type { ContextPolicy } from './policy.ts'

export type PresetName = 'oneclaw' | 'openclaw' | 'micro' | 'spec008' | 'longhaul'
export const DEFAULT_PRESET: PresetName = 'longhaul'

/** What most presets share; each preset below says only where it differs. */
const COMMON: ContextPolicy = {
  contextTokens: null,
  assumedWindowTokens: 200_000,
  windowGuard: { warnBelowTokens: 32_000, refuseBelowTokens: null },
  estimator: 'plain',
  bootstrapMaxChars: 20_000,
  workspaceAccess: 'rw',
  heartbeat: { every: null },
  toolDefinitions: { maxRatio: 0.2 },
  toolResults: { maxChars: 30_000, keep: 'head', artifacts: false },
  recall: { maxRatio: null },
  contextPruning: {
    mode: 'off',
    ttl: 5 * 60_000,
    keepLastAssistants: 3,
    softTrimRatio: 0.3,
    hardClearRatio: 0.5,
    minPrunableToolChars: 50_000,
    softTrim: { maxChars: 4_000, headChars: 1_500, tailChars: 1_500 },
    hardClear: { enabled: true, placeholder: '[Old tool result content cleared]' },
    softTrimAfterTurns: 3,
    hardClearAfterTurns: 10,
    tools: { allow: ['*'], deny: [] },
  },
  compaction: {
    enabled: true,
    strategy: 'summarize',
    triggerRatio: null,
    reserveTokens: null,
    triggerTokens: null,
    reserveTokensFloor: 20_000,
    prepareRatio: null,
    check: 'after-response',
    timing: 'beside',
    keepRatio: null,
    keepRecentTokens: null,
    keepMessages: null,
    keepTurns: null,
    minMessages: 0,
    keepFirstUserMessage: false,
    placement: 'own-message',
    model: 'session',
    maxOutputTokens: 4_096,
    temperature: 0,
    stream: true,
    summaryWords: null,
    timeoutMs: 15_000,
    backgroundTimeoutMs: 30_000,
    retries: 1,
    preview: null,
    maxInputChars: null,
    fallback: 'trim-oldest',
    maxMessages: null,
    memoryFlush: {
      enabled: false,
      softThresholdTokens: 4_000,
      silentToken: 'NO_REPLY',
      target: 'files',
      systemPrompt: null,
      prompt: null,
      timeoutMs: 60_000,
    },
  },
}

const REFUSE_BELOW_TOKENS = 16_000
/** How tool traffic is shown where there is no room to show it whole. */
export const PREVIEW = { toolInputChars: 200, resultMaxChars: 700, resultHeadChars: 500, resultTailChars: 200 }

/** Seeds 000 and 002. */
const oneclaw: ContextPolicy = {
  ...COMMON,
  assumedWindowTokens: null,
  compaction: {
    ...COMMON.compaction,
    triggerRatio: 0.85,
    keepRatio: 0.25,
    placement: 'system-prompt',
    maxOutputTokens: 2_048,
    summaryWords: { min: 200, max: 500 },
  },
}

/** Seed 001. */
const openclaw: ContextPolicy = {
  ...COMMON,
  windowGuard: { ...COMMON.windowGuard, refuseBelowTokens: REFUSE_BELOW_TOKENS },
  contextPruning: { ...COMMON.contextPruning, mode: 'cache-ttl' },
  compaction: {
    ...COMMON.compaction,
    reserveTokens: 16_384,
    keepRecentTokens: 20_000,
    maxInputChars: 'chunked',
    memoryFlush: { ...COMMON.compaction.memoryFlush, enabled: true },
  },
}

/** Seed 003. */
const micro: ContextPolicy = {
  ...COMMON,
  toolResults: { ...COMMON.toolResults, maxChars: 40_000 },
  compaction: {
    ...COMMON.compaction,
    triggerTokens: 80_000,
    check: 'every-step',
    timing: 'before-call',
    keepMessages: 6,
    keepFirstUserMessage: true,
    placement: 'first-user-message',
    stream: false,
    preview: PREVIEW,
    maxInputChars: 100_000,
    fallback: 'trim-count',
    maxMessages: 50,
  },
}

/** Seed 004. */
const spec008: ContextPolicy = {
  ...COMMON,
  windowGuard: { ...COMMON.windowGuard, refuseBelowTokens: REFUSE_BELOW_TOKENS },
  contextPruning: {
    ...COMMON.contextPruning,
    mode: 'age',
    hardClear: { enabled: true, placeholder: '[Tool result cleared]' },
  },
  compaction: {
    ...COMMON.compaction,
    reserveTokens: 20_000,
    check: 'before-turn',
    timing: 'before-call',
    keepTurns: 5,
    minMessages: 10,
    placement: 'system-message',
    model: 'anthropic/claude-haiku-4-5-20251001',
    maxOutputTokens: 1_024,
    memoryFlush: { ...COMMON.compaction.memoryFlush, enabled: true, silentToken: 'SILENT', target: 'tool' },
  },
}

const longhaul: ContextPolicy = {
  ...COMMON,
  estimator: 'classes',
  toolResults: { maxChars: 30_000, keep: 'head-tail', artifacts: true },
  recall: { maxRatio: 0.02 },
  contextPruning: {
    ...COMMON.contextPruning,
    mode: 'size',
    softTrimRatio: 0.5,
    hardClearRatio: 0.65,
    minPrunableToolChars: 20_000,
    hardClear: { enabled: true, placeholder: null },
  },
  compaction: {
    ...COMMON.compaction,
    strategy: 'longhaul',
    triggerRatio: 0.8,
    prepareRatio: 0.75,
    check: 'every-step',
    keepRatio: 0.1,
    keepFirstUserMessage: 'ledger',
    preview: PREVIEW,
    maxInputChars: 'chunked',
    fallback: 'extractive',
    memoryFlush: { ...COMMON.compaction.memoryFlush, enabled: true },
  },
}

/**
 * The five policies that come with the engine.
 *
 * @example
 * PRESETS.longhaul.compaction.triggerRatio // 0.8
 */
export const PRESETS: Readonly<Record<PresetName, ContextPolicy>> = { oneclaw, openclaw, micro, spec008, longhaul }

export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name)
}
