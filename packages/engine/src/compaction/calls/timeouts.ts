import type { ContextPolicy } from '../../policy/policy.ts'
import type { CompactionReason } from '../../transcript/entry.ts'

/** A chunked compaction makes several calls; as a whole it gets this many times the time of one. */
const CHUNKED_CALLS = 4

/** What one summary call gets. Nobody waits for work prepared beside the conversation, so that gets longer. */
export function callTimeoutMs({ compaction }: ContextPolicy, reason: CompactionReason): number {
  return reason === 'prepared' ? compaction.backgroundTimeoutMs : compaction.timeoutMs
}

/** What the caller should allow a compaction as a whole, retries included. */
export function totalTimeoutMs(policy: ContextPolicy, reason: CompactionReason = 'threshold'): number {
  const { maxInputChars, retries } = policy.compaction
  const attempts = 1 + Math.max(0, retries)
  return callTimeoutMs(policy, reason) * (maxInputChars === 'chunked' ? Math.max(CHUNKED_CALLS, attempts) : attempts)
}
