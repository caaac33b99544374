import { anthropicWire } from './anthropic/anthropic-wire.ts'
import { openaiChatWire } from './openai-chat/openai-chat-wire.ts'
import { openaiResponsesWire } from './openai-responses/openai-responses-wire.ts'
import type { Wire } from './wire.ts'

export interface WireCall {
  readonly wire: Wire
  /** The call asks for a size and not for an answer. */
  readonly isCount: boolean
}

/** The wire that a path of an upstream speaks; null: its calls are passed on. */
export function findWire(type: 'anthropic' | 'openai', method: string | undefined, path: string): WireCall | null {
  if (method !== 'POST') return null
  const plain = path.replace(/\?.*$/s, '')
  if (type === 'anthropic') {
    if (plain.endsWith('/messages')) return { wire: anthropicWire, isCount: false }
    return plain.endsWith('/messages/count_tokens') ? { wire: anthropicWire, isCount: true } : null
  }
  if (plain.endsWith('/chat/completions')) return { wire: openaiChatWire, isCount: false }
  return plain.endsWith('/responses') ? { wire: openaiResponsesWire, isCount: false } : null
}
