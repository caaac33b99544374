import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'

export interface RetryPlan {
  readonly action: 'retry'
  readonly delayMs: number
}

export interface NoRetryPlan {
  readonly action: 'give-up'
  readonly failure: ModelFailure
}

export interface RetryInput {
  readonly failure: ModelFailure
  /** How many were made. */
  readonly retries: number
  readonly maxRetries: number
  /** What is left of the call's time. */
  readonly remainingMs: number
  /** From 0 to 1. */
  readonly random: () => number
}

export const DEFAULT_MAX_RETRIES = 3
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000
/** Who is told to wait longer is told so, instead of being kept waiting. */
const LONGEST_RETRY_AFTER_MS = 60_000

/** Waiting cures these; the others fail the same way again. */
const CURED_BY_WAITING: ReadonlySet<ModelFailureKind> = new Set(['rate-limited', 'unavailable', 'timeout'])

/** Exponential backoff with full jitter, so that many callers do not come back together; or as long as the endpoint asks. */
export function planRetry(input: RetryInput): RetryPlan | NoRetryPlan {
  const { failure, retries, maxRetries, remainingMs, random } = input
  const giveUp = { action: 'give-up', failure } as const
  if (!failure.isRetryable || !CURED_BY_WAITING.has(failure.kind)) return giveUp
  const { retryAfterMs } = failure
  if (retryAfterMs !== null && retryAfterMs > LONGEST_RETRY_AFTER_MS) {
    return { action: 'give-up', failure: { ...failure, message: sayWhen(failure.message, retryAfterMs) } }
  }
  // Written this way round, NaN retries nothing.
  if (!(retries < maxRetries)) return giveUp
  const delayMs = Math.round(retryAfterMs ?? random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries))
  return delayMs < remainingMs ? { action: 'retry', delayMs } : giveUp
}

function sayWhen(message: string, retryAfterMs: number): string {
  return `It asks to wait ${Math.ceil(retryAfterMs / 1_000)} s before the next try: ${message}`
}
