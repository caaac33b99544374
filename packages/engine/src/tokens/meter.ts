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

export interface MeterInput {
  readonly items: readonly PrefixItem[]
  readonly trace: PrefixTrace
  /** Estimate of system prompt and tools; null where the caller does not have them. */
  readonly environmentTokens: number | null
  readonly calibration: Calibration
}

/** The one meter: the newest bill that still covers the start of the request, plus the estimate of what came after it. */
export function readMeter({ items, trace, environmentTokens, calibration }: MeterInput): Reading {
  const billed = items[trace.billedIndex]
  const usage = billed?.entry?.usage
  if (usage !== undefined) {
    // Reasoning is billed even where the provider keeps it to itself; then it is not sent again.
    const resent = usage.output - (billed?.hasReasoning === true ? 0 : (usage.reasoning ?? 0))
    const reportedTokens = usage.input + Math.max(0, resent)
    const rest = sumTokens(items, trace.billedIndex + 1) * calibration.ratio
    return { source: 'reported', tokens: reportedTokens + Math.ceil(rest), reportedTokens }
  }
  if (environmentTokens === null) return { source: 'unknown', tokens: null, reportedTokens: 0 }
  const estimate = (sumTokens(items, 0) + environmentTokens) * calibration.ratio + calibration.overheadTokens
  return { source: 'estimated', tokens: Math.ceil(estimate), reportedTokens: 0 }
}

function sumTokens(items: readonly PrefixItem[], from: number): number {
  let tokens = 0
  for (let index = from; index < items.length; index += 1) tokens += items[index]?.tokens ?? 0
  return tokens
}
