import type { SummarySection } from '../transcript/summary-document.ts'
import type { Chunk } from './chunks.ts'

/** Stands where a summary should, when nobody could write one. The words are fixed (OPEN-13). */
export function summaryUnavailable(messageCount: number): string {
  return `Context contained ${messageCount} messages. Summary unavailable.`
}

/** Stands for the parts of a chunked compaction that could not be summarised, while the others were. The words are fixed (OPEN-21). */
export function createGapSection(chunks: readonly Chunk[]): SummarySection {
  const items = chunks.map(({ items: missing }) => ({
    id: `gap-${missing[0]?.item.entry.seq ?? 0}`,
    text: `[${missing.length} messages could not be summarized]`,
    sources: missing.map(({ item }) => item.entry.id),
    status: 'open' as const,
  }))
  return { title: '', items }
}
