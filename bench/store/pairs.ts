import { median } from '../report/percentile.ts'

/** Two ways of doing the same, measured in turn: what other programs do meanwhile hits both. */
export interface PairedRates {
  readonly oursPerSecond: number
  readonly rawPerSecond: number
  /** The middle one of the rounds. */
  readonly share: number
}

/** A way to do it for one round: resolves to how many were done. */
export type Round = () => Promise<number>

export interface PairInput {
  readonly rounds: number
  readonly raw: Round
  readonly ours: Round
  /** What a round of ours leaves to be done later: not part of it, and not to be in the way of the next one. */
  readonly afterOurs?: () => Promise<unknown>
}

export async function measurePair({ rounds, raw, ours, afterOurs }: PairInput): Promise<PairedRates> {
  const pairs: { readonly raw: number; readonly ours: number }[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const rates = { raw: 0, ours: 0 }
    for (const way of round % 2 === 0 ? (['raw', 'ours'] as const) : (['ours', 'raw'] as const)) {
      rates[way] = await measureRate(way === 'raw' ? raw : ours)
      if (way === 'ours') await afterOurs?.()
    }
    if (round > 0) pairs.push(rates)
  }
  return {
    rawPerSecond: median(pairs.map((pair) => pair.raw)),
    oursPerSecond: median(pairs.map((pair) => pair.ours)),
    share: median(pairs.map((pair) => pair.ours / pair.raw)),
  }
}

export async function measureRate(round: Round): Promise<number> {
  const begin = performance.now()
  const count = await round()
  return count / ((performance.now() - begin) / 1_000)
}
