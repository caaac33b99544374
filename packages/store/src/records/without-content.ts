import type { Entry, Part } from '@longhaul/engine/advanced'

/**
 * The same entry as far as the head is concerned. A fold keeps every message it meets; without their content, a session
 * of any length is folded in little memory.
 */
export function withoutContent(entry: Entry): Entry {
  if (entry.type === 'message') return { ...entry, parts: entry.parts.flatMap(withoutArguments) }
  if (entry.type === 'prune') return { ...entry, decisions: [] }
  return entry.type === 'compaction' ? { ...entry, document: { version: 1, sections: [] } } : entry
}

/** That a message calls tools says that its turn goes on. */
function withoutArguments(part: Part): readonly Part[] {
  if (part.type !== 'tool-call') return []
  const { type, toolCallId, toolName } = part
  return [{ type, toolCallId, toolName, input: {} }]
}
