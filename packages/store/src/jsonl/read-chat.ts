import { isRecord } from '@longhaul/engine/advanced'
import { createEntryList } from './entry-list.ts'
import type { MessageFields } from './entry-list.ts'
import type { ImportedSession, SkippedLine } from './imported-session.ts'
import { inOrder } from './parse-lines.ts'
import type { Fields } from './parse-lines.ts'
import { optional, readString, readTime, toolNames } from './read-values.ts'

/** A list of chat messages in either dialect, with what stands beside the list. */
export interface Chat {
  readonly id: string
  readonly header: Fields
  readonly messages: readonly { readonly line: number; readonly value: unknown }[]
  readonly skipped: readonly SkippedLine[]
}

export interface Dialect {
  readonly format: 'openai-chat' | 'ai-sdk'
  readonly model: string | undefined
  /** The text of a system message, null for any other. */
  readSystem(message: Fields): string | null
  /** Our messages for one of theirs; a text says why there is none. */
  readMessage(message: Fields, toolNames: ReadonlyMap<string, string>): readonly MessageFields[] | string
}

/** System messages at the start are the system prompt; a later one is part of the conversation, as a user's message. */
export function readChat(chat: Chat, dialect: Dialect): ImportedSession {
  const list = createEntryList()
  const names = new Map<string, string>()
  const skipped: SkippedLine[] = [...chat.skipped]
  const instructions = [readString(chat.header['system'])]
  for (const { line, value } of chat.messages) {
    if (!isRecord(value)) {
      skipped.push({ line, reason: 'a message that is not a JSON object' })
      continue
    }
    const origin = { id: readString(value['id']), at: readTime(value['createdAt'] ?? value['timestamp']) }
    const system = dialect.readSystem(value)
    if (system !== null && list.entries.length === 0) {
      instructions.push(readString(system))
      continue
    }
    const messages = system === null ? dialect.readMessage(value, names) : [systemNote(system)]
    if (typeof messages === 'string') {
      skipped.push({ line, reason: messages })
      continue
    }
    for (const message of messages) {
      toolNames(message.parts, names)
      list.addMessage(origin, message)
    }
  }
  const systemPrompt = instructions.filter((text) => text !== undefined).join('\n\n')
  return {
    format: dialect.format,
    session: {
      id: chat.id,
      createdAt: readTime(chat.header['createdAt']),
      ...optional('title', readString(chat.header['title'])),
      ...optional('model', dialect.model),
      ...optional('systemPrompt', readString(systemPrompt)),
    },
    entries: list.finish(),
    artifacts: [],
    skipped: inOrder(skipped),
  }
}

function systemNote(text: string): MessageFields {
  return { role: 'user', parts: text === '' ? [] : [{ type: 'text', text }] }
}
