import { percentile } from '../report/percentile.ts'

/** How far off a number of guesses were, as shares of the truth. */
export interface Spread {
  readonly count: number
  readonly median: number
  readonly p95: number
  readonly worst: number
}

export interface Guess {
  readonly guessed: number
  readonly truth: number
}

export function spreadOf(guesses: readonly Guess[]): Spread {
  const errors = guesses.map(({ guessed, truth }) => Math.abs(guessed - truth) / truth)
  const at = (share: number): number => percentile(errors, share)
  return { count: errors.length, median: at(0.5), p95: at(0.95), worst: at(1) }
}
