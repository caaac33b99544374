export interface ForecastInput {
  /** By how many tokens each turn made the context larger, newest last. Turns that were compacted have shrunk it. */
  readonly growth: readonly number[]
  readonly usedTokens: number
  readonly thresholdTokens: number
}

const RECENT_TURNS = 16
const MIN_TURNS = 3
/** One huge paste says little about the next turns: it counts as this many ordinary ones. */
const MAX_SPIKE = 5

/** About how many turns until the threshold, rounded down; null if nobody can tell or nothing grows. */
export function forecastTurns({ growth, usedTokens, thresholdTokens }: ForecastInput): number | null {
  const left = thresholdTokens - usedTokens
  if (!Number.isFinite(left)) return null
  if (left <= 0) return 0
  const recent = growth.filter((tokens) => Number.isFinite(tokens) && tokens >= 0).slice(-RECENT_TURNS)
  if (recent.length < MIN_TURNS) return null
  const perTurn = meanWithoutSpikes(recent)
  return perTurn >= 1 ? roundDown(left / perTurn) : null
}

/** A plain median would promise too much: most turns are small, and a few large ones fill the window. */
function meanWithoutSpikes(recent: readonly number[]): number {
  const sorted = recent.toSorted((first, second) => first - second)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return recent.reduce((sum, tokens) => sum + Math.min(tokens, median * MAX_SPIKE), 0) / recent.length
}

/** Real turns differ by a factor of two as often as not, so from 20 on the guess is in tens, from 200 on in hundreds. */
function roundDown(turns: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(turns / 2)))
  return Math.floor(turns / unit) * unit
}
