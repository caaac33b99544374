/** The most that an endpoint takes of something, as it showed by refusing more; null: it has refused nothing. */
export interface RefusedLimits {
  readonly maxBytes: number | null
  readonly maxOutputTokens: number | null
}

/** What the provider would not take, kept while the session is open: else every step would be refused first. */
export interface Refusals {
  limits(): RefusedLimits
  noteLimits(limits: Partial<RefusedLimits>): void
  /** The reasoning of this context: it is left out until the context changes. */
  refusesReasoning(): boolean
  noteReasoning(): void
}

const NOTHING_REFUSED: RefusedLimits = { maxBytes: null, maxOutputTokens: null }

export function createRefusals(model: () => string, epoch: () => number): Refusals {
  const limits = new Map<string, RefusedLimits>()
  let reasoningEpoch: number | null = null
  const limitsNow = (): RefusedLimits => limits.get(model()) ?? NOTHING_REFUSED
  return {
    limits: limitsNow,
    noteLimits: (refused) => void limits.set(model(), { ...limitsNow(), ...refused }),
    refusesReasoning: () => reasoningEpoch === epoch(),
    noteReasoning: () => void (reasoningEpoch = epoch()),
  }
}
