import { findSummaryInForce } from '@longhaul/runtime'
import type { Runtime, SessionRecord, SummaryInForce } from '@longhaul/runtime'

/** The summary in force of each session; null: there is none. */
export interface Summaries {
  /** Reads one entry, and only the first time: a compaction never changes. */
  read(record: SessionRecord): Promise<SummaryInForce | null>
}

/** A page of a list has at most 200 sessions, and a summary a few thousand characters. */
const MAX_KEPT = 500

export function createSummaries({ store }: Pick<Runtime, 'store'>): Summaries {
  const kept = new Map<string, SummaryInForce | null>()
  return {
    async read(record) {
      const { summary } = record.head.base
      if (summary === null) return null
      const key = JSON.stringify([record.id, summary.id])
      const found = kept.get(key) ?? (await findSummaryInForce(store, record))
      kept.delete(key)
      kept.set(key, found)
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      return found
    },
  }
}
