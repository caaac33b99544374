import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateMessage, truncateToolOutput } from '@longhaul/engine/advanced'
import type { Message, MessageEntry, Part } from '@longhaul/engine/advanced'
import { readTranscripts } from '@longhaul/store'
import { createFactBook } from '@longhaul/replay'
import type { FactBook } from '@longhaul/replay'

type Keep = 'head' | 'head-tail'

interface ConversationMessage extends Message {
  readonly at: number
  /** As a policy would have stored it: long tool outputs cut. The same list for the same limits. */
  partsFor(keep: Keep, maxChars: number): readonly Part[]
}

export interface Conversation {
  readonly name: string
  readonly system: string
  readonly messages: readonly ConversationMessage[]
  readonly tokens: number
  readonly facts: FactBook
}

const FOLDER = process.env['LONGHAUL_DATA_SETS'] ?? join(import.meta.dirname, '../../../shared/data')
const SYSTEM = 'You are a helpful assistant.'

/** null where the file is not there: real conversations do not come with the repository. */
export function loadConversations(file: string): readonly Conversation[] | null {
  const path = join(FOLDER, file)
  if (!existsSync(path)) return null
  return readTranscripts(readFileSync(path, 'utf8')).map(({ session, entries }) =>
    createConversation(
      `${file} ${session.id}`,
      session.systemPrompt ?? SYSTEM,
      entries.flatMap((entry) => (entry.type === 'message' ? [entry] : [])),
    ),
  )
}

/** Short conversations one after the other, as if one agent had had them all; null for none. */
export function joinConversations(name: string, conversations: readonly Conversation[]): Conversation | null {
  const [first] = conversations
  if (first === undefined) return null
  const messages = conversations.flatMap((conversation, index) =>
    conversation.messages.map(({ role, parts }) => ({
      role,
      parts: parts.map((part) =>
        part.type === 'tool-call' || part.type === 'tool-result'
          ? { ...part, toolCallId: `${index} ${part.toolCallId}` }
          : part,
      ),
      at: 0,
    })),
  )
  return createConversation(name, first.system, messages)
}

type Stored = Pick<MessageEntry, 'role' | 'parts' | 'at'>

function createConversation(name: string, system: string, stored: readonly Stored[]): Conversation {
  const messages = stored.map(createMessage)
  return {
    name,
    system,
    messages,
    tokens: messages.reduce((sum, message) => sum + estimateMessage(message, 'classes'), 0),
    facts: createFactBook(messages),
  }
}

/** Without reasoning: providers want none of it once what came before has changed. */
function createMessage({ role, parts: stored, at }: Stored): ConversationMessage {
  const parts = stored.filter(({ type }) => type !== 'reasoning')
  const cut = new Map<string, readonly Part[]>()
  return {
    role,
    parts,
    at,
    partsFor(keep, maxChars) {
      const key = `${keep} ${maxChars}`
      const known = cut.get(key) ?? truncateParts(parts, keep, maxChars)
      cut.set(key, known)
      return known
    },
  }
}

function truncateParts(parts: readonly Part[], keep: Keep, maxChars: number): readonly Part[] {
  let isCut = false
  const shorter = parts.map((part) => {
    if (part.type !== 'tool-result') return part
    const { output, truncated } = truncateToolOutput(part.output, { maxChars, keep })
    isCut ||= truncated
    return truncated ? { ...part, output } : part
  })
  return isCut ? shorter : parts
}
