import type { ContextPolicy } from '../../policy/policy.ts'

/** A chunked compaction makes several calls; as a whole it gets this many times the time of one. */
const CHUNKED_CALLS = 4

export interface Timeouts {
  /** The most that one summary call may take. */
  readonly callMs: number
  /** The most that a compaction may take as a whole, retries included. */
  readonly totalMs: number
}

/** Beside the conversation nobody waits, so each call gets longer and each retry gets time of its own. */
export function besideTimeouts({ compaction }: ContextPolicy): Timeouts {
  const { backgroundTimeoutMs: callMs, maxInputChars, retries } = compaction
  const attempts = 1 + Math.max(0, retries)
  return { callMs, totalMs: callMs * (maxInputChars === 'chunked' ? Math.max(CHUNKED_CALLS, attempts) : attempts) }
}

/** A compaction that somebody waits for ends within the time of one call, retries included. `leftMs`: what the turn has left. */
export function waitedTimeouts({ compaction }: ContextPolicy, leftMs: number): Timeouts {
  const ms = Math.max(0, Math.min(compaction.timeoutMs, leftMs))
  return { callMs: ms, totalMs: ms }
}
