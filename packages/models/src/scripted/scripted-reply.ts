import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { JsonObject, Usage } from '@longhaul/engine/advanced'

/**
 * The replies in order, or a function that makes one of each request; `index` counts requests from 0. A list that runs
 * out is an error that says so.
 */
export type Script =
  | readonly ScriptedReply[]
  | ((request: LanguageModelV4CallOptions, index: number) => ScriptedReply | Promise<ScriptedReply>)

/** A text, an answer with more to it, a call that fails or never answers, or the very pieces of a stream. */
export type ScriptedReply = string | ScriptedAnswer | ScriptedFault | readonly LanguageModelV4StreamPart[]

/** In this order: reasoning, text, tool calls. A list is streamed in its pieces, a plain text word by word. */
export interface ScriptedAnswer {
  readonly reasoning?: string | readonly string[]
  /** What the provider wants back with the reasoning, such as `{ anthropic: { signature: '…' } }`. */
  readonly reasoningMetadata?: Readonly<Record<string, JsonObject>>
  readonly text?: string | readonly string[]
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** Default: `tool-calls` if there are any, else `stop`. */
  readonly finish?: LanguageModelV4FinishReason['unified']
  /** What is not given is counted; null: none is reported. */
  readonly usage?: Partial<Usage> | null
  readonly delays?: ScriptedDelays
  /** What goes wrong in the middle. */
  readonly breaksOff?: ScriptedBreak
}

export interface ScriptedToolCall {
  /** Default: numbered, and no two alike. */
  readonly id?: string
  readonly name: string
  /** A string is what the model wrote, JSON or not. */
  readonly input: JsonObject | string
}

interface ScriptedDelays {
  readonly firstByteMs?: number
  /** Before each piece. */
  readonly pieceMs?: number
}

export interface ScriptedBreak {
  /** Of reasoning, text and tool calls. */
  readonly afterPieces: number
  /** `end` closes too early, `hang` goes silent until the call is cancelled, an error is told in the stream or thrown. */
  readonly how: 'end' | 'hang' | { readonly error: unknown } | { readonly throws: unknown }
}

export type ScriptedFault =
  /** The call is refused with this error. */
  | { readonly fails: unknown }
  /** No answer until the call is cancelled. */
  | { readonly hangs: true }

export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return []
  return typeof text === 'string' ? (text.match(/\S+\s*|\s+/g) ?? []) : text
}
