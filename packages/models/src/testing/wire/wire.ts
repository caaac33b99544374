import type { JsonRecord } from './read-json.ts'
import type { WireAnswer, WireErrorEvent, WireFinish, WireUsage } from './wire-reply.ts'
import type { WireMessage, WireName } from './wire-request.ts'

/** An answer cut into what is sent at once. Between two pieces the server can wait, or break. */
export interface WireFrames {
  readonly opening: readonly string[]
  readonly pieces: readonly string[]
  readonly closing: readonly string[]
}

/** What an encoder needs beside the answer. */
export interface WireContext {
  readonly model: string
  readonly usage: WireUsage
  readonly finish: WireFinish
  /** Numbers ids, so that two answers never share one. */
  readonly turn: number
}

interface WireOverflow {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly windowTokens: number
}

export interface WireHttpError {
  readonly status: number
  readonly body: JsonRecord
}

/** One vendor's format: how its requests are read and checked, how its answers are written, what its errors say. */
export interface Wire {
  readonly name: WireName
  accepts(path: string): boolean
  modelOf(body: JsonRecord, path: string): string
  /** What the model would read: this is what is counted. */
  promptOf(body: JsonRecord): readonly unknown[]
  maxOutputOf(body: JsonRecord): number | null
  readMessages(body: JsonRecord): readonly WireMessage[]
  keyOf(headers: Readonly<Record<string, string>>): string | null
  /** What the vendor's own endpoint would refuse, in its words; null where it would not. */
  findInvalid(body: JsonRecord, messages: readonly WireMessage[]): WireHttpError | null
  wrongKey(key: string): WireHttpError
  overflow(overflow: WireOverflow): WireHttpError
  /** Whether the answer is to be streamed. */
  isStreamed(body: JsonRecord, path: string): boolean
  encode(answer: WireAnswer, context: WireContext): WireFrames
  /** The same answer as the one response of a call that is not streamed. */
  encodeWhole(answer: WireAnswer, context: WireContext): JsonRecord
  encodeError(error: WireErrorEvent): string
}
