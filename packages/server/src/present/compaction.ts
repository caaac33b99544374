import type { Compaction } from '@longhaul/protocol'
import type { CompactionRecord } from '@longhaul/runtime'

export function presentCompaction({ usage: _usage, fallback: _fallback, ...record }: CompactionRecord): Compaction {
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
