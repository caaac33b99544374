import { hasBill } from './trace-prefix.ts'
import type { PrefixItem, PrefixTrace } from './trace-prefix.ts'
import type { MessageEntry } from '../transcript/entry.ts'

/** What reported usage taught about a model. */
export interface Calibration {
  /** Billed tokens per estimated one. */
  readonly ratio: number
  /** What it adds to every tool call and to each argument: names, brackets and tags that no transcript shows. */
  readonly frameTokens: number
  /** What it adds to every numbered line; below 0 where the number takes fewer tokens than estimated. */
  readonly lineTokens: number
  /** What it adds to every request. */
  readonly overheadTokens: number
}

export const UNCALIBRATED: Calibration = { ratio: 1, frameTokens: 0, lineTokens: 0, overheadTokens: 0 }

/** What content was estimated at, and what in it a model may count in its own way. */
export interface Estimate {
  readonly tokens: number
  readonly frames: number
  readonly numberedLines: number
}

export function sumEstimates(estimates: readonly Estimate[]): Estimate {
  return {
    tokens: estimates.reduce((sum, { tokens }) => sum + tokens, 0),
    frames: estimates.reduce((sum, { frames }) => sum + frames, 0),
    numberedLines: estimates.reduce((sum, { numberedLines }) => sum + numberedLines, 0),
  }
}

/** What the model is thought to bill for it, not rounded. */
export function scaleEstimate(estimate: Estimate, { ratio, frameTokens, lineTokens }: Calibration): number {
  const { tokens, frames, numberedLines } = estimate
  return Math.max(0, tokens * ratio + frames * frameTokens + numberedLines * lineTokens)
}

/** `unknown` is a state of its own: shown as such, never as 0 %. */
export type Reading =
  | {
      readonly source: 'reported' | 'estimated'
      readonly tokens: number
      /** The part of `tokens` that the provider has billed before. */
      readonly reportedTokens: number
    }
  | { readonly source: 'unknown'; readonly tokens: null; readonly reportedTokens: 0 }

/** With more behind it that nobody has billed yet. */
export function addToReading(reading: Reading, estimate: Estimate, calibration: Calibration): Reading {
  if (reading.tokens === null) return reading
  return { ...reading, tokens: reading.tokens + Math.ceil(scaleEstimate(estimate, calibration)) }
}

export interface TracedRequest {
  readonly items: readonly PrefixItem[]
  readonly trace: PrefixTrace
  /** The model the request goes to; null: any. */
  readonly model: string | null
  readonly calibration: Calibration
}

export interface MeterInput extends TracedRequest {
  /** Estimate of system prompt and tools; null where the caller does not have them. */
  readonly environmentTokens: number | null
}

/**
 * The one meter: the input of the newest bill that still covers the start of the request, then for each answer from
 * there on what its own bill says, and an estimate of the rest.
 */
export function readMeter({ environmentTokens, ...request }: MeterInput): Reading {
  const { calibration } = request
  const billed = request.items[request.trace.billedIndex]?.entry
  const billedInput = billed?.usage === undefined ? undefined : withoutAside(billed.usage.input, billed)
  const { billedTokens, estimate } = sumRest(request)
  if (billedInput !== undefined) {
    const reportedTokens = billedInput + billedTokens
    const tokens = reportedTokens + Math.ceil(scaleEstimate(estimate, calibration))
    return { source: 'reported', tokens, reportedTokens }
  }
  if (environmentTokens === null) return { source: 'unknown', tokens: null, reportedTokens: 0 }
  const scaled = scaleEstimate({ ...estimate, tokens: estimate.tokens + environmentTokens }, calibration)
  const tokens = billedTokens + Math.ceil(scaled + calibration.overheadTokens)
  return { source: 'estimated', tokens, reportedTokens: billedTokens }
}

/** The bill without messages that were sent with that request only: no later request has them. */
function withoutAside(billedInput: number, { anchor }: Pick<MessageEntry, 'anchor'>): number {
  return Math.max(1, billedInput - (anchor?.asideTokens ?? 0))
}

/** What the newest bill's input does not cover: what answers take by their own bills, and the estimate of all the others. */
export function sumRest({ items, trace, model, calibration }: TracedRequest): {
  readonly billedTokens: number
  readonly estimate: Estimate
} {
  let [billedTokens, tokens, frames, numberedLines] = [0, 0, 0, 0]
  for (let index = Math.max(0, trace.billedIndex); index < items.length; index += 1) {
    const item = items[index]
    if (item === undefined) continue
    const dropsReasoning = trace.dropsReasoning[index] === true
    const resent = dropsReasoning ? null : countResent(item, { model, calibration })
    if (resent === null) {
      tokens += item.tokens - (dropsReasoning ? item.reasoningTokens : 0)
      frames += item.frames
      numberedLines += item.numberedLines
    } else billedTokens += resent
  }
  return { billedTokens, estimate: { tokens, frames, numberedLines } }
}

/**
 * What an answer takes by its own bill; null where there is none, or none to believe. Output is input the next time.
 * Reasoning is billed even where the provider keeps it to itself; then it is not sent again.
 */
export function countResent(
  item: PrefixItem,
  { model, calibration }: Pick<TracedRequest, 'model' | 'calibration'>,
): number | null {
  const { entry, isEdited, hasReasoning } = item
  if (entry?.usage === undefined || isEdited || !hasBill(entry, model)) return null
  const { output, reasoning = 0 } = entry.usage
  const resent = Math.max(0, hasReasoning ? output : output - reasoning)
  // Less than half of what it visibly holds is the count of a stream that had just begun, which some programs store.
  return resent * 2 < scaleEstimate(item, calibration) ? null : resent
}
