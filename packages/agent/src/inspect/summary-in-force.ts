import { renderDocument } from '@longhaul/engine/advanced'
import type { SessionRecord, Store } from '@longhaul/store/port'

/** The summary that stands for the older part of a session, in the words of its compaction's record. */
export interface SummaryInForce {
  readonly text: string
  /** The time of the first message that the compaction kept: messages from then on are not covered by the summary. */
  readonly boundaryAt: number
}

/** Reads one entry, by its place. null: nothing has been compacted, or it was taken back or reset. */
export async function findSummaryInForce(
  store: Pick<Store, 'entries'>,
  { id, head }: Pick<SessionRecord, 'id' | 'head'>,
): Promise<SummaryInForce | null> {
  const { summary } = head.base
  if (summary === null) return null
  const [entry] = await store.entries.readAt(id, [summary.seq])
  if (entry?.type !== 'compaction') return null
  return { text: renderDocument(entry.document), boundaryAt: entry.firstKept?.at ?? entry.at }
}
