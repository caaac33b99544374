import type { SessionStatus } from '@longhaul/protocol'
import { formatCount, formatNumber, formatShare, formatShort } from '../ui/text/format.ts'

interface GaugeInput extends Pick<SessionStatus, 'tokens' | 'turnsLeft'> {
  /** The newest compaction was taken back: the next one waits until the window forces it. */
  readonly isExempt: boolean
}

/** How full the context is, in words and shares. What nobody knows is null or said to be unknown, never 0. */
export interface GaugeReading {
  /** 0 to 1, for drawing; null: nothing to draw. */
  readonly fill: number | null
  /** Where on the same scale a compaction starts. */
  readonly mark: number | null
  readonly level: 'calm' | 'near' | 'due' | 'unknown'
  /** `31 %`, `over 100 %` or `unknown`. */
  readonly percent: string
  /** `62.1k of 200k`. */
  readonly short: string
  /** `62,104 of 200,000 tokens`. */
  readonly amount: string
  readonly source: string
  readonly forecast: string
}

export function readGauge({ tokens, turnsLeft, isExempt }: GaugeInput): GaugeReading {
  const { context, window, threshold, source } = tokens
  const isKnown = context !== null && source !== 'unknown'
  const share = isKnown && window !== null && window > 0 ? context / window : null
  return {
    fill: share === null ? null : Math.min(1, share),
    mark: window === null || window <= 0 || threshold === null ? null : Math.min(1, threshold / window),
    level: isKnown && share !== null ? levelOf(context, threshold ?? window ?? 0) : 'unknown',
    percent: describePercent(share),
    short: describeAmount(isKnown ? context : null, window, formatShort, ''),
    amount: describeAmount(isKnown ? context : null, window, formatNumber, ' tokens'),
    source: isKnown ? SOURCES[source] : SOURCES.unknown,
    forecast: isExempt ? describeUndone(tokens) : describeForecast(tokens, turnsLeft),
  }
}

const SOURCES: Readonly<Record<SessionStatus['tokens']['source'], string>> = {
  reported: 'reported by the provider',
  estimated: 'estimated',
  unknown: 'unknown until the first reply',
}

const NEAR_SHARE = 0.85

function levelOf(context: number, threshold: number): GaugeReading['level'] {
  if (context > threshold) return 'due'
  return context > threshold * NEAR_SHARE ? 'near' : 'calm'
}

function describePercent(share: number | null): string {
  if (share === null) return 'unknown'
  return share > 1 ? 'over 100 %' : formatShare(share)
}

function describeAmount(
  context: number | null,
  window: number | null,
  format: (value: number) => string,
  unit: string,
): string {
  if (context === null) return window === null ? 'unknown' : `unknown of ${format(window)}${unit}`
  return window === null
    ? `${format(context)}${unit}, window unknown`
    : `${format(context)} of ${format(window)}${unit}`
}

function describeForecast({ context, threshold, window }: GaugeInput['tokens'], turnsLeft: number | null): string {
  if (window === null || threshold === null) return 'No automatic compaction: the size of the window is unknown.'
  if (context !== null && context > threshold)
    return 'Past the threshold: the next message usually starts a compaction.'
  if (turnsLeft === null) return `The next compaction comes at ${formatShort(threshold)} tokens; too early to say when.`
  if (turnsLeft < 1) return 'The next turn will probably start a compaction.'
  return `About ${formatCount(turnsLeft, 'turn')} until the next compaction, at ${formatShort(threshold)} tokens.`
}

function describeUndone({ window }: GaugeInput['tokens']): string {
  if (window === null)
    return 'After your undo, the next compaction comes when the provider refuses a request as too long.'
  return 'After your undo, the next compaction comes when the window is full.'
}
