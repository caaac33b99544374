import type { ContextPolicy } from './policy.ts'

export interface LimitsInput {
  /** The effective window of the session's model; null is unknown. */
  readonly windowTokens: number | null
  /** The most the model can answer, and the most it takes in where that is less than the window. */
  readonly maxOutputTokens?: number | null
  readonly maxInputTokens?: number | null
  /** The window of the model that writes summaries, if it is another one. */
  readonly summaryWindowTokens?: number | null
  /** The most that model can answer. */
  readonly summaryMaxOutputTokens?: number | null
}

/** A preset's number that this window cannot hold, and what it became. */
export interface Clamp {
  /** The policy's key; `compaction.trigger` for what its three trigger keys come to. */
  readonly key: string
  readonly from: number
  readonly to: number
}

/** Every threshold in tokens, worked out once for a policy and a window. */
export interface Limits {
  readonly windowTokens: number
  /** Kept free for the answer. */
  readonly outputTokens: number
  /** The most a request may hold: window less answer. */
  readonly inputTokens: number
  /** The most it may hold while a summary is under way: the answer gives up half of its room before anybody waits. */
  readonly wallTokens: number
  readonly triggerTokens: number
  readonly prepareTokens: number | null
  /** Memory is saved before the work on a summary can start. */
  readonly flushTokens: number
  /** The most that stays verbatim, whichever keep rule is in force. */
  readonly keepTokens: number
  readonly summaryOutputTokens: number
  /** The most one summary call may be given. */
  readonly summaryInputTokens: number
  readonly pinTokens: number
  /** The most that the definitions of others' tools may take. */
  readonly toolTokens: number
  readonly bootstrapMaxChars: number
  readonly toolResultMaxChars: number
  readonly clamps: readonly Clamp[]
}

/** An answer longer than this is rare; reserving a model's full output limit would waste half the window. */
const MAX_OUTPUT_RESERVE_TOKENS = 16_000
const ASSUMED_OUTPUT_TOKENS = 8_192
const MAX_RESERVE_SHARE = 0.25
/** What most answers need is no share of the window: beyond this much only an eighth of it is kept free. */
const USUAL_OUTPUT_TOKENS = 8_000
const USUAL_RESERVE_SHARE = 0.125
const MARGIN_SHARE = 0.01
/** With the largest output reserve this is still the seeds' reserve of 20,000, so that no large window clamps them. */
const MAX_MARGIN_TOKENS = 4_000
const PIN_SHARE = 0.05
/** A summary prepared any later would not be ready at the trigger. A small window fills in few turns, so its lead is larger. */
const PREPARE_LEAD_SHARE = 0.05
const SMALL_PREPARE_LEAD_SHARE = 0.125
const SMALL_WINDOW_TOKENS = 48_000
/** Between the two, the lead falls evenly. */
const USUAL_WINDOW_TOKENS = 64_000
/** Room for the instructions around what the summariser is given. */
const SUMMARY_PROMPT_TOKENS = 1_500

/** null while the window is unknown and the policy assumes none: then nothing is automatic. */
export function resolveLimits(policy: ContextPolicy, input: LimitsInput): Limits | null {
  const windowTokens = input.windowTokens
  if (windowTokens === null) return null
  const { compaction } = policy
  const clamps: Clamp[] = []
  const atMost = (key: string, value: number, limit: number): number => {
    const most = Math.max(1, Math.floor(limit))
    if (value <= most) return value
    clamps.push({ key, from: value, to: most })
    return most
  }

  const outputTokens = Math.floor(
    Math.min(
      input.maxOutputTokens ?? ASSUMED_OUTPUT_TOKENS,
      MAX_OUTPUT_RESERVE_TOKENS,
      windowTokens * MAX_RESERVE_SHARE,
      Math.max(USUAL_OUTPUT_TOKENS, windowTokens * USUAL_RESERVE_SHARE),
    ),
  )
  const inputTokens = Math.max(1, Math.min(windowTokens - outputTokens, input.maxInputTokens ?? windowTokens))
  const wallTokens = Math.max(
    inputTokens,
    Math.min(windowTokens - Math.ceil(outputTokens / 2), input.maxInputTokens ?? windowTokens),
  )
  const triggerTokens = atMost(
    'compaction.trigger',
    Math.max(1, findTrigger(policy, windowTokens, atMost)),
    inputTokens - Math.min(windowTokens * MARGIN_SHARE, MAX_MARGIN_TOKENS),
  )
  const summaryOutputTokens = atMost(
    'compaction.maxOutputTokens',
    compaction.maxOutputTokens,
    Math.min(triggerTokens / 4, input.summaryMaxOutputTokens ?? Infinity),
  )
  const summaryWindowTokens = input.summaryWindowTokens ?? windowTokens
  const prepareTokens =
    compaction.prepareRatio === null
      ? null
      : atMost(
          'compaction.prepareRatio',
          Math.floor(windowTokens * compaction.prepareRatio),
          triggerTokens - findPrepareLead(windowTokens),
        )
  return {
    windowTokens,
    outputTokens,
    inputTokens,
    wallTokens,
    triggerTokens,
    prepareTokens,
    flushTokens: Math.max(1, (prepareTokens ?? triggerTokens) - findSoftThreshold(policy, triggerTokens, atMost)),
    keepTokens: findKeepTokens(policy, windowTokens, triggerTokens, atMost),
    summaryOutputTokens,
    summaryInputTokens: Math.max(
      1,
      Math.floor(summaryWindowTokens - summaryOutputTokens - Math.min(SUMMARY_PROMPT_TOKENS, summaryWindowTokens / 4)),
    ),
    pinTokens: Math.floor(windowTokens * PIN_SHARE),
    toolTokens: findToolTokens(policy, windowTokens),
    bootstrapMaxChars: atMost('bootstrapMaxChars', policy.bootstrapMaxChars, windowTokens / 2),
    toolResultMaxChars: atMost('toolResults.maxChars', policy.toolResults.maxChars, windowTokens),
    clamps,
  }
}

/** Assumed for tools alone where nobody knows the window: whatever a server offers, it must not fill a request. */
const ASSUMED_TOOL_WINDOW_TOKENS = 32_000

/** The room for definitions of others' tools in a window; null: the window is unknown. */
export function findToolTokens({ toolDefinitions }: ContextPolicy, windowTokens: number | null): number {
  return Math.floor((windowTokens ?? ASSUMED_TOOL_WINDOW_TOKENS) * toolDefinitions.maxRatio)
}

function findPrepareLead(windowTokens: number): number {
  const way = (windowTokens - SMALL_WINDOW_TOKENS) / (USUAL_WINDOW_TOKENS - SMALL_WINDOW_TOKENS)
  const smallness = 1 - Math.min(1, Math.max(0, way))
  const share = PREPARE_LEAD_SHARE + (SMALL_PREPARE_LEAD_SHARE - PREPARE_LEAD_SHARE) * smallness
  return Math.floor(windowTokens * share)
}

type AtMost = (key: string, value: number, limit: number) => number

function findTrigger({ compaction }: ContextPolicy, windowTokens: number, atMost: AtMost): number {
  if (compaction.triggerTokens !== null) return compaction.triggerTokens
  if (compaction.triggerRatio !== null) return Math.floor(windowTokens * compaction.triggerRatio)
  const reserve = Math.max(compaction.reserveTokens ?? 0, compaction.reserveTokensFloor)
  return windowTokens - atMost('compaction.reserveTokens', reserve, windowTokens * MAX_RESERVE_SHARE)
}

function findSoftThreshold({ compaction }: ContextPolicy, triggerTokens: number, atMost: AtMost): number {
  const { enabled, softThresholdTokens } = compaction.memoryFlush
  if (!enabled) return 0
  return atMost('compaction.memoryFlush.softThresholdTokens', softThresholdTokens, triggerTokens / 4)
}

/** Rules that count messages or turns have no digits in tokens; half the trigger bounds them too, so that compaction can always free something. */
function findKeepTokens(
  { compaction }: ContextPolicy,
  windowTokens: number,
  triggerTokens: number,
  atMost: AtMost,
): number {
  const half = triggerTokens / 2
  if (compaction.keepRatio !== null)
    return atMost('compaction.keepRatio', Math.floor(windowTokens * compaction.keepRatio), half)
  if (compaction.keepRecentTokens !== null)
    return atMost('compaction.keepRecentTokens', compaction.keepRecentTokens, half)
  return Math.floor(half)
}
