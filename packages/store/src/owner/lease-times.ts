/** Kept by every backend. Three beats fit in, so that one slow write loses nothing. */
export const LEASE_TIMES = { ttlMs: 5_000, beatMs: 1_500 } as const
