import { estimateMessage } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import { createConversation, createFactBook } from '@longhaul/replay'
import type { FactBook, ReplayMessage } from '@longhaul/replay'
import type { RealSession } from '../data-sets.ts'

export interface Conversation {
  readonly name: string
  readonly system: string
  readonly messages: readonly ReplayMessage[]
  readonly tokens: number
  readonly facts: FactBook
}

const SYSTEM = 'You are a helpful assistant.'

/** Answers that failed count as said: the published figures were measured with them. */
export function readConversation({ session, entries }: Pick<RealSession, 'session' | 'entries'>): Conversation {
  const said = entries.map((entry) => (entry.type === 'message' ? { ...entry, finish: 'stop' as const } : entry))
  const { name, system, messages } = createConversation({ session, entries: said })
  return {
    name,
    system: system ?? SYSTEM,
    messages,
    tokens: messages.reduce((sum, message) => sum + estimateMessage(message, 'classes'), 0),
    facts: createFactBook(messages),
  }
}

/** Short conversations one after the other, as if one agent had had them all; null for none. */
export function joinConversations(name: string, sessions: readonly RealSession[]): Conversation | null {
  const [first] = sessions
  if (first === undefined) return null
  const entries = sessions.flatMap((session, index) => session.entries.map((entry) => renameCalls(entry, index)))
  return readConversation({ session: { ...first.session, title: name }, entries })
}

/** Calls of different conversations may have the same id. */
function renameCalls(entry: Entry, conversation: number): Entry {
  if (entry.type !== 'message') return entry
  const parts = entry.parts.map((part) =>
    part.type === 'tool-call' || part.type === 'tool-result'
      ? { ...part, toolCallId: `${conversation} ${part.toolCallId}` }
      : part,
  )
  return { ...entry, at: 0, parts }
}
