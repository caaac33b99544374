import { unusedId } from './entry-list.ts'
import type { UsedIds } from './entry-list.ts'
import type { ImportedSession } from './imported-session.ts'
import { splitAtHeaders } from './parse-lines.ts'
import type { Fields, Line, LineGroup } from './parse-lines.ts'
import { readAiSdk } from './read-ai-sdk.ts'
import type { Chat } from './read-chat.ts'
import { readOpenAiChat } from './read-openai-chat.ts'
import { recogniseChat } from './recognise-format.ts'

/** One conversation a line, as `messages`; or one message a line, all of one conversation. */
export function readChats(group: LineGroup): readonly ImportedSession[] {
  const conversations = group.lines.some(({ value }) => isConversation(value))
  const groups = conversations ? splitAtHeaders(group, isConversation) : [group]
  const usedIds: UsedIds = new Map()
  const chats = groups.map((lines, index) => toChat(lines, `conversation-${index + 1}`, usedIds))
  const usual = recogniseChat(chats.flatMap(rawMessages)) ?? 'openai-chat'
  return chats.map((chat) => {
    const format = recogniseChat(rawMessages(chat)) ?? usual
    return format === 'ai-sdk' ? readAiSdk(chat) : readOpenAiChat(chat)
  })
}

function isConversation(value: Fields): boolean {
  return Array.isArray(value['messages'])
}

function toChat({ lines, skipped }: LineGroup, name: string, usedIds: UsedIds): Chat {
  const header = lines.find(({ value }) => isConversation(value))?.value ?? {}
  const { id } = header
  const ownId = typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : name
  return { id: unusedId(ownId, usedIds), header, messages: lines.flatMap(messagesOf), skipped }
}

function messagesOf({ line, value }: Line): Chat['messages'] {
  const { messages } = value
  return Array.isArray(messages) ? messages.map((message: unknown) => ({ line, value: message })) : [{ line, value }]
}

function rawMessages({ messages }: Chat): readonly unknown[] {
  return messages.map(({ value }) => value)
}
