import type { Timeouts } from '../port/model-call.ts'

/**
 * Generous, because the cost of cutting a model that still thinks is the whole answer, and a user who has waited enough
 * can cancel at any moment: reasoning models are silent for minutes, and a local model reads a long prompt as slowly.
 */
const DEFAULT_TIMEOUTS: Timeouts = { firstByteMs: 300_000, idleMs: 120_000, totalMs: 1_800_000 }

export function resolveTimeouts(wanted: Partial<Timeouts> | undefined): Timeouts {
  return {
    firstByteMs: readMs(wanted?.firstByteMs) ?? DEFAULT_TIMEOUTS.firstByteMs,
    idleMs: readMs(wanted?.idleMs) ?? DEFAULT_TIMEOUTS.idleMs,
    totalMs: readMs(wanted?.totalMs) ?? DEFAULT_TIMEOUTS.totalMs,
  }
}

/** Infinity is a wish like any other; NaN and what is below zero are none. */
function readMs(ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) || ms < 0 ? undefined : ms
}
