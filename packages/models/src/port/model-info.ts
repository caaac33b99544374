/** US dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
}

/** Above `aboveInputTokens` of one request, the whole request is billed at these prices. */
export interface PriceTier extends TokenPrices {
  readonly aboveInputTokens: number
}

export interface ModelPrice extends TokenPrices {
  readonly tiers: readonly PriceTier[]
}

/** How the endpoint caches prompts; null where it does not or nobody knows. */
export interface CacheBehaviour {
  readonly kind: 'explicit' | 'automatic'
  readonly ttlMs: number
  /** Shorter prefixes are not cached. */
  readonly minPrefixTokens: number
}

/** What is known about a model. Null is "unknown", never a guess. */
export interface ModelInfo {
  /** `provider/model`. */
  readonly id: string
  readonly provider: string
  readonly contextWindow: number | null
  /** Where input and output have limits of their own. */
  readonly maxInput: number | null
  readonly maxOutput: number | null
  readonly price: ModelPrice | null
  readonly cache: CacheBehaviour | null
  /** Can be called now: its provider is configured. */
  readonly available: boolean
  /** When the facts were gathered, YYYY-MM-DD; null for the user's own words. */
  readonly asOf: string | null
}
