import type { JsonRecord } from './read-json.ts'

export type WireName = 'anthropic' | 'openai-responses' | 'openai-chat' | 'google'

/** One request as it came over the wire. */
export interface WireRequest {
  readonly wire: WireName
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonRecord
  /** The body's very bytes. */
  readonly text: string
  readonly model: string
  readonly messages: readonly WireMessage[]
  /** Counted by the server, at its characters per token. */
  readonly inputTokens: number
  /** Why the server refused it; null: it was answered. */
  readonly refused: WireRefusal | null
}

export type WireRefusal = 'wrong-key' | 'invalid' | 'too-long'

/** A message of any vendor's request, as far as scripts and checks look at it. The system prompt is one of them. */
export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly callIds: readonly string[]
  readonly resultIds: readonly string[]
}
