import type { Entry } from '@longhaul/engine/advanced'
import type { RequestOutcome } from '../port/agent-event.ts'

/** What came of a request, as the entry tells that it left in the transcript: for as long as there is a transcript. */
export function describeStored(entry: Entry): Extract<RequestOutcome, { ok: true }> {
  const { id } = entry
  if (entry.type !== 'compaction' && entry.type !== 'trim') return { ok: true, result: { id } }
  const { type: kind, reason, tokensBefore, tokensAfter } = entry
  const score = entry.type === 'compaction' ? { score: entry.score ?? null } : {}
  return { ok: true, result: { id, kind, reason, tokensBefore, tokensAfter, ...score } }
}
