import type { Usage } from '../transcript/message.ts'
import { hasBill } from './trace-prefix.ts'
import type { PrefixItem, PrefixTrace } from './trace-prefix.ts'

/** What reported usage taught about a model: billed tokens per estimated one, and what it adds to every request. */
export interface Calibration {
  readonly ratio: number
  readonly overheadTokens: number
}

export const UNCALIBRATED: Calibration = { ratio: 1, overheadTokens: 0 }

/** `unknown` is a state of its own: shown as such, never as 0 %. */
export type Reading =
  | {
      readonly source: 'reported' | 'estimated'
      readonly tokens: number
      /** The part of `tokens` that the provider has billed before. */
      readonly reportedTokens: number
    }
  | { readonly source: 'unknown'; readonly tokens: null; readonly reportedTokens: 0 }

export interface TracedRequest {
  readonly items: readonly PrefixItem[]
  readonly trace: PrefixTrace
  /** The model the request goes to; null: any. */
  readonly model: string | null
}

export interface MeterInput extends TracedRequest {
  /** Estimate of system prompt and tools; null where the caller does not have them. */
  readonly environmentTokens: number | null
  readonly calibration: Calibration
}

/**
 * The one meter: the newest bill that still covers the start of the request, then for each answer after it what its own
 * bill says, and an estimate of the rest.
 */
export function readMeter({ environmentTokens, calibration, ...request }: MeterInput): Reading {
  const billed = request.items[request.trace.billedIndex]
  const usage = billed?.entry?.usage
  const rest = sumRest(request)
  if (usage !== undefined) {
    const reportedTokens = usage.input + countResent(usage, billed?.hasReasoning === true) + rest.billedTokens
    const tokens = reportedTokens + Math.ceil(rest.estimate * calibration.ratio)
    return { source: 'reported', tokens, reportedTokens }
  }
  if (environmentTokens === null) return { source: 'unknown', tokens: null, reportedTokens: 0 }
  const estimate = (rest.estimate + environmentTokens) * calibration.ratio + calibration.overheadTokens
  return { source: 'estimated', tokens: rest.billedTokens + Math.ceil(estimate), reportedTokens: rest.billedTokens }
}

/** Items after the newest bill: what answers among them take by their own bills, and the estimate of all the others. */
export function sumRest({ items, trace, model }: TracedRequest): {
  readonly billedTokens: number
  readonly estimate: number
} {
  let [billedTokens, estimate] = [0, 0]
  for (let index = trace.billedIndex + 1; index < items.length; index += 1) {
    const item = items[index]
    if (item === undefined) continue
    const { entry } = item
    const tokens = item.tokens - (trace.dropsReasoning[index] === true ? item.reasoningTokens : 0)
    const isResent = entry !== null && !item.isEdited && trace.dropsReasoning[index] !== true && hasBill(entry, model)
    const resent = isResent && entry.usage !== undefined ? countResent(entry.usage, item.hasReasoning) : 0
    // Less than half of the estimate is the count of a stream that had just begun, which some programs store.
    if (resent * 2 < tokens) estimate += tokens
    else billedTokens += resent
  }
  return { billedTokens, estimate }
}

/** Output is input the next time. Reasoning is billed even where the provider keeps it to itself; then it is not sent again. */
function countResent({ output, reasoning = 0 }: Usage, hasReasoning: boolean): number {
  return Math.max(0, hasReasoning ? output : output - reasoning)
}
