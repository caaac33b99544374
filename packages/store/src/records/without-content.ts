import type { Entry, Part, Role } from '@longhaul/engine/advanced'

/**
 * The same entry as far as the head is concerned. A fold keeps every message it meets; without their content, a session
 * of any length is folded in little memory.
 */
export function withoutContent(entry: Entry): Entry {
  if (entry.type === 'message') return { ...entry, parts: entry.parts.flatMap((part) => emptied(part, entry.role)) }
  if (entry.type === 'prune') return { ...entry, decisions: [] }
  return entry.type === 'compaction' ? { ...entry, document: { version: 1, sections: [] } } : entry
}

/** Calls say that a turn goes on; results, files and pictures say that text of others came in. */
function emptied(part: Part, role: Role): readonly Part[] {
  switch (part.type) {
    case 'tool-call':
      return [{ type: part.type, toolCallId: part.toolCallId, toolName: part.toolName, input: {} }]
    case 'tool-result': {
      const { type, toolCallId, toolName, isReceipt } = part
      return [{ type, toolCallId, toolName, output: '', ...(isReceipt === undefined ? {} : { isReceipt }) }]
    }
    case 'image':
      return [{ type: 'image', image: '' }]
    case 'file':
      return [{ type: 'file', data: '', mediaType: part.mediaType }]
    case 'text':
      return role === 'tool' ? [{ type: 'text', text: '' }] : []
    case 'reasoning':
      return []
    default:
      return part satisfies never
  }
}
