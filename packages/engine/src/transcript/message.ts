import type { JsonObject } from './json.ts'

export type Role = 'user' | 'assistant' | 'tool'

/** Opaque data a provider wants back with the part (thinking signatures, for one). Never read here, only carried. */
interface ProviderData {
  readonly providerOptions?: JsonObject
}

export interface TextPart extends ProviderData {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningPart extends ProviderData {
  readonly type: 'reasoning'
  readonly text: string
}

/** `image` is base64, a data URL or an address. Pixel sizes, where known, make the token estimate exact. */
export interface ImagePart extends ProviderData {
  readonly type: 'image'
  readonly image: string
  readonly mediaType?: string
  readonly width?: number
  readonly height?: number
}

export interface FilePart extends ProviderData {
  readonly type: 'file'
  readonly data: string
  readonly mediaType: string
  readonly filename?: string
}

export interface ToolCallPart extends ProviderData {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: JsonObject
}

export interface ToolResultPart extends ProviderData {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: ToolOutput
  readonly isError?: boolean
  /** Where the full output lies when `output` was cut before it was stored. */
  readonly artifactId?: string
  /** The output is a fixed sentence of Longhaul's own that tells what was done: nobody else wrote a word of it. */
  readonly isReceipt?: boolean
}

export type ToolOutput = string | readonly ContentPart[]
export type ContentPart = TextPart | ImagePart | FilePart
export type Part = ContentPart | ReasoningPart | ToolCallPart | ToolResultPart

export interface Message {
  readonly role: Role
  readonly parts: readonly Part[]
}

/** One call's tokens as the provider billed them. `input` counts everything sent, cached or not; `reasoning` is part of `output`. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
  readonly costUsd?: number
}
