import type { CompactionEntry } from '@longhaul/engine/advanced'
import { PUT_BACK } from '../find/agent-session.ts'

/** The same compaction with texts that the agent put beside its summary. */
export function withPutBack(entry: CompactionEntry, texts: readonly string[]): CompactionEntry {
  const found = texts.filter((text) => text.trim() !== '')
  if (found.length === 0) return entry
  const items = found.map((text, index) => ({
    id: `put-back-${index + 1}`,
    text,
    sources: [],
    status: 'open' as const,
  }))
  const { document } = entry
  return { ...entry, document: { ...document, sections: [...document.sections, { title: PUT_BACK, items }] } }
}
