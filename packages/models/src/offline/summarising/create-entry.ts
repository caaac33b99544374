import type { MessageEntry, Part, Role } from '@longhaul/engine/advanced'
import type { Passage } from '../reading/read-conversation.ts'

/** A message as the engine's rules want to read it. */
export function createEntry(seq: number, role: Role, parts: readonly Part[]): MessageEntry {
  return { type: 'message', seq, id: `m${seq}`, at: 0, role, parts }
}

/** What was said, without calls and their results; a summary or a pin stands for what the user said. */
export function toEntries(passages: readonly Passage[]): readonly MessageEntry[] {
  return passages.flatMap(({ origin, toolName, text }, index) => {
    if (toolName !== null || origin === 'system' || origin === 'tool') return []
    return [createEntry(index, origin === 'assistant' ? 'assistant' : 'user', [{ type: 'text', text }])]
  })
}
