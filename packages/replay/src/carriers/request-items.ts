import type { Message } from '@longhaul/engine/advanced'
import type { ReplayMessage, StorageRule } from '../conversation/conversation.ts'
import type { MessageSizes } from '../conversation/message-sizes.ts'
import { entryIdOf } from '../summaries/summaries.ts'
import type { RequestItem } from './carrier.ts'

/** A message of the conversation, as a program with this rule stores it; without one, as it was said. */
export function createItem(message: ReplayMessage, sizes: MessageSizes, rule?: StorageRule): RequestItem {
  const parts = rule === undefined ? message.parts : message.storedParts(rule)
  const isAsSaid = parts === message.parts
  const sent: Message = isAsSaid ? message : { role: message.role, parts }
  return {
    key: entryIdOf(message.index),
    kind: message.role,
    state: isAsSaid ? 'verbatim' : 'soft-trimmed',
    message: sent,
    tokens: isAsSaid ? sizes.tokensOfStored(message.index) : sizes.tokensOf(sent),
    index: message.index,
  }
}

/** Words that nobody said: a summary, or a file that is put back. */
export function createTextItem(kind: 'summary' | 'user', key: string, text: string, sizes: MessageSizes): RequestItem {
  const message: Message = { role: 'user', parts: [{ type: 'text', text }] }
  const state = kind === 'summary' ? 'summarised' : 'verbatim'
  return { key, kind, state, message, tokens: sizes.tokensOf(message), index: null }
}

export function sumTokens(items: readonly RequestItem[], headTokens: number): number {
  return items.reduce((sum, { tokens }) => sum + tokens, headTokens)
}
