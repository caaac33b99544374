import type { Limits } from '../policy/limits.ts'
import type { ContextPolicy } from '../policy/policy.ts'

export interface FlushInput {
  readonly usedTokens: number | null
  readonly limits: Pick<Limits, 'flushTokens'> | null
  readonly policy: Pick<ContextPolicy, 'workspaceAccess' | 'compaction'>
  /** How often the base has moved so far; never runs backwards. */
  readonly cycle: number
  /** The cycle of the last flush that went through; null: none did. */
  readonly flushedCycle: number | null
  readonly failuresThisCycle: number
  /** Something is about to be lost whatever the size: a manual compaction, an overflow, a reset, a new session. */
  readonly isForced?: boolean
  /** The turn only keeps a cache warm; nothing was said in it. */
  readonly isHeartbeat?: boolean
}

export type FlushReason =
  | 'due'
  | 'forced'
  | 'below-threshold'
  | 'already-flushed'
  | 'disabled'
  | 'read-only'
  | 'unknown'
  | 'failed-too-often'
  | 'heartbeat'

export interface FlushPlan {
  readonly due: boolean
  readonly reason: FlushReason
  readonly numbers: {
    readonly usedTokens: number | null
    readonly thresholdTokens: number | null
    readonly cycle: number
    readonly flushedCycle: number | null
    readonly failures: number
  }
}

/** A flush is tried once a cycle: one that failed or hung would be likely to do so again. */
const MAX_FLUSH_FAILURES = 1

/**
 * Whether the model is asked to save what must last, before anything is summarised: above the flush threshold, once a
 * cycle. A forced flush needs no number, so an unknown window does not stop it; every other reason does.
 */
export function planFlush(input: FlushInput): FlushPlan {
  const reason = findReason(input)
  return {
    due: reason === 'due' || reason === 'forced',
    reason,
    numbers: {
      usedTokens: input.usedTokens,
      thresholdTokens: input.limits?.flushTokens ?? null,
      cycle: input.cycle,
      flushedCycle: input.flushedCycle,
      failures: input.failuresThisCycle,
    },
  }
}

function findReason(input: FlushInput): FlushReason {
  const { usedTokens, limits, policy } = input
  if (!policy.compaction.memoryFlush.enabled) return 'disabled'
  if (policy.workspaceAccess !== 'rw') return 'read-only'
  if (input.isHeartbeat === true) return 'heartbeat'
  if (input.flushedCycle !== null && input.flushedCycle >= input.cycle) return 'already-flushed'
  if (input.failuresThisCycle >= MAX_FLUSH_FAILURES) return 'failed-too-often'
  if (input.isForced === true) return 'forced'
  if (usedTokens === null || limits === null || !Number.isFinite(usedTokens)) return 'unknown'
  return usedTokens > limits.flushTokens ? 'due' : 'below-threshold'
}
