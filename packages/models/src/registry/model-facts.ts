import type { CacheBehaviour, ModelPrice, PriceTier, TokenPrices } from '../port/model-info.ts'

/** One row of the table. */
export interface ModelFacts {
  readonly contextWindow: number | null
  readonly maxInput: number | null
  readonly maxOutput: number | null
  readonly price: ModelPrice | null
  readonly cache: CacheBehaviour | null
}

/** A vendor's rows by model id, all gathered on one day. */
export interface VendorTable {
  /** YYYY-MM-DD. */
  readonly asOf: string
  readonly models: Readonly<Record<string, ModelFacts>>
}

export type PriceList = readonly [
  input: number,
  output: number,
  cacheRead?: number | undefined,
  cacheWrite?: number | undefined,
]

/** US dollars for a million tokens, as price pages list them. A price left out is unknown. */
export function usd(list: PriceList, ...tiers: readonly PriceTier[]): ModelPrice {
  return { ...toPrices(list), tiers }
}

/** What a whole request costs once its input is above this many tokens. */
export function above(aboveInputTokens: number, list: PriceList): PriceTier {
  return { aboveInputTokens, ...toPrices(list) }
}

function toPrices([input, output, cacheRead, cacheWrite]: PriceList): TokenPrices {
  return { input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null }
}
