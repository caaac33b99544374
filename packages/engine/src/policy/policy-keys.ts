import type { ContextPolicy } from './policy.ts'
import { PREVIEW } from './presets.ts'
import {
  boolean,
  choice,
  count,
  duration,
  either,
  globs,
  group,
  orOff,
  positive,
  share,
  temperature,
  text,
} from './value-kinds.ts'
import type { GroupKeys, ValueKind } from './value-kinds.ts'

/** One kind for each key, nested as the policy is: a key without one does not compile. */
type KindsOf<T> = { readonly [K in keyof T]-?: ValueKind<T[K]> }

const compaction: KindsOf<ContextPolicy['compaction']> = {
  enabled: boolean,
  strategy: text,
  triggerRatio: orOff(share),
  reserveTokens: orOff(count),
  triggerTokens: orOff(positive),
  reserveTokensFloor: count,
  prepareRatio: orOff(share),
  check: choice('after-response', 'every-step', 'before-turn'),
  timing: choice('beside', 'before-call'),
  keepRatio: orOff(share),
  keepRecentTokens: orOff(count),
  keepMessages: orOff(count),
  keepTurns: orOff(count),
  minMessages: count,
  keepFirstUserMessage: choice<boolean | 'ledger'>(true, false, 'ledger'),
  placement: choice('system-prompt', 'first-user-message', 'system-message', 'own-message'),
  model: text,
  maxOutputTokens: positive,
  temperature,
  stream: boolean,
  summaryWords: orOff(group({ min: positive, max: positive }, { min: 200, max: 500 })),
  timeoutMs: duration,
  backgroundTimeoutMs: duration,
  retries: count,
  preview: orOff(
    group({ toolInputChars: count, resultMaxChars: count, resultHeadChars: count, resultTailChars: count }, PREVIEW),
  ),
  maxInputChars: orOff(either(positive, choice('chunked'))),
  fallback: choice('trim-oldest', 'trim-count', 'extractive'),
  maxMessages: orOff(positive),
  memoryFlush: group({
    enabled: boolean,
    softThresholdTokens: count,
    silentToken: text,
    target: choice('files', 'tool'),
    systemPrompt: orOff(text),
    prompt: orOff(text),
    timeoutMs: duration,
  }),
}

const policy: KindsOf<ContextPolicy> = {
  contextTokens: orOff(positive),
  assumedWindowTokens: orOff(positive),
  windowGuard: group({ warnBelowTokens: count, refuseBelowTokens: orOff(count) }),
  estimator: choice('plain', 'classes'),
  bootstrapMaxChars: positive,
  workspaceAccess: choice('rw', 'ro', 'none'),
  heartbeat: group({ every: orOff(duration) }),
  toolDefinitions: group({ maxRatio: share }),
  toolResults: group({ maxChars: positive, keep: choice('head', 'head-tail'), artifacts: boolean }),
  recall: group({ maxRatio: orOff(share) }),
  contextPruning: group({
    mode: choice('off', 'cache-ttl', 'age', 'size'),
    ttl: duration,
    keepLastAssistants: count,
    softTrimRatio: share,
    hardClearRatio: share,
    minPrunableToolChars: count,
    softTrim: group({ maxChars: positive, headChars: count, tailChars: count }),
    hardClear: group({ enabled: boolean, placeholder: orOff(text) }),
    softTrimAfterTurns: count,
    hardClearAfterTurns: count,
    tools: group({ allow: globs, deny: globs }),
  }),
  compaction: group(compaction),
}

export const POLICY_KEYS: GroupKeys = policy

/** Of each of these exactly one is set; setting one clears its inherited siblings. */
export const ONE_OF_GROUPS: readonly (readonly string[])[] = [
  ['compaction.triggerRatio', 'compaction.reserveTokens', 'compaction.triggerTokens'],
  ['compaction.keepRatio', 'compaction.keepRecentTokens', 'compaction.keepMessages', 'compaction.keepTurns'],
]
