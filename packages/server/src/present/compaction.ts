import type { Compaction } from '@longhaul/protocol'
import { findCompaction } from '@longhaul/runtime'
import type { CompactionRecord, Runtime } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'

export function presentCompaction({ usage: _usage, ...record }: CompactionRecord): Compaction {
  return {
    ...record,
    items: record.items.map(({ section, text, sources, status }) => ({ section, text, sources: [...sources], status })),
    ledger: record.ledger.map(({ kind, text, sources, note }) => ({
      kind,
      text,
      sources: [...sources],
      ...(note === undefined ? {} : { note }),
    })),
    coveredIds: [...record.coveredIds],
  }
}

/** The compaction that was asked for. Where no summary could be made, messages were left out instead: told in the same shape. */
export async function presentNewCompaction(
  { store, agent }: Pick<Runtime, 'store' | 'agent'>,
  sessionId: string,
  id: string,
): Promise<Compaction> {
  const record = await findCompaction(store, sessionId, id)
  if (record !== null) return presentCompaction(record)
  const entry = await store.entries.find(sessionId, id)
  if (entry?.type !== 'trim') throw new ApiFailure('internal', 'It was done, but is not found in the transcript.')
  const { at, reason, tokensBefore, tokensAfter, note } = entry
  const { policy } = (await agent.inspect(sessionId)).context
  const fallback = policy.compaction.fallback === 'trim-count' ? 'trim-count' : 'trim-oldest'
  return {
    id,
    at,
    reason,
    tokensBefore,
    tokensAfter,
    score: null,
    strategy: fallback,
    model: null,
    fallback,
    cost: null,
    summary: note ?? '',
    items: [],
    ledger: [],
    coveredIds: [],
    undone: false,
  }
}
