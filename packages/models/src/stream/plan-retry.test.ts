import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelFailureKind } from '../port/model-failure.ts'
import { planRetry } from './plan-retry.ts'
import type { RetryInput } from './plan-retry.ts'

function input(more: Partial<RetryInput> & { kind?: ModelFailureKind; retryAfterMs?: number | null } = {}): RetryInput {
  const { kind = 'unavailable', retryAfterMs = null, ...rest } = more
  return {
    failure: { kind, message: 'm', isRetryable: true, status: null, retryAfterMs, tokens: null },
    retries: 0,
    maxRetries: 3,
    remainingMs: 600_000,
    random: () => 1,
    ...rest,
  }
}

describe('planRetry', () => {
  it('doubles the longest wait with each try, up to a limit', () => {
    const delays = [0, 1, 2, 3, 10, 2_000].map((retries) => planRetry(input({ retries, maxRetries: 9_999 })))
    expect(delays.map((plan) => 'delayMs' in plan && plan.delayMs)).toEqual([
      1_000, 2_000, 4_000, 8_000, 30_000, 30_000,
    ])
  })

  it('waits anything between nothing and that', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), (share, retries) => {
        const plan = planRetry(input({ retries, random: () => share }))
        expect(plan).toEqual({ action: 'retry', delayMs: Math.round(share * 1_000 * 2 ** retries) })
      }),
    )
  })

  it('waits as long as it is told, neither more nor less', () => {
    expect(planRetry(input({ kind: 'rate-limited', retryAfterMs: 45_000 }))).toEqual({
      action: 'retry',
      delayMs: 45_000,
    })
    expect(planRetry(input({ retryAfterMs: 0 }))).toEqual({ action: 'retry', delayMs: 0 })
  })

  it('gives up where waiting cures nothing, or too much of it is asked', () => {
    for (const kind of ['input-overflow', 'auth', 'aborted', 'empty', 'interrupted', 'invalid-request'] as const) {
      expect(planRetry(input({ kind })).action).toBe('give-up')
    }
    expect(planRetry(input({ retryAfterMs: 60_001 })).action).toBe('give-up')
    expect(planRetry(input({ remainingMs: 900 })).action).toBe('give-up')
    expect(planRetry(input({ retries: 3 })).action).toBe('give-up')
    expect(planRetry(input({ maxRetries: Number.NaN })).action).toBe('give-up')
  })
})
