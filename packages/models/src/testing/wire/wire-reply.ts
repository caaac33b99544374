import type { WireRequest } from './wire-request.ts'

/** What the server answers to one request: an answer, a fault, or whichever of them a function makes of the request. */
export type WireReply = WireAnswer | WireFault | ((request: WireRequest) => WireAnswer | WireFault)

/** A model's answer, written once and spoken in the format of whoever asks. A list is streamed in its pieces. */
export interface WireAnswer {
  readonly reasoning?: string | readonly string[]
  /** What the vendor wants back with the reasoning: a signature, or the reasoning in encrypted form. */
  readonly signature?: string
  readonly text?: string | readonly string[]
  /** All of one step: parallel where there are several. */
  readonly toolCalls?: readonly WireToolCall[]
  /** Default: `tool-calls` if there are any, else `stop`. */
  readonly finish?: WireFinish
  /** What is not given is counted, at the server's characters per token. */
  readonly usage?: Partial<WireUsage>
  readonly delays?: WireDelays
  /** What goes wrong in the middle. */
  readonly breaksOff?: WireBreak
}

export interface WireToolCall {
  readonly id?: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** OpenAI Responses alone: the call is one of a custom tool, whose input is this text and no JSON. */
  readonly customInput?: string
}

export type WireFinish = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'window-exceeded'

/** `input` counts everything sent, cached or not; `reasoning` is part of `output`. */
export interface WireUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}

interface WireDelays {
  readonly firstByteMs?: number
  /** Before each piece. */
  readonly pieceMs?: number
}

/** After so many pieces of reasoning, text or tool calls: */
export interface WireBreak {
  readonly afterPieces: number
  /** `stall` goes silent until the client leaves; `end` closes properly, but too early. */
  readonly how: 'reset' | 'end' | 'stall' | 'garbage' | WireErrorEvent
}

/** An error the server tells in the stream, after it had said 200. */
export interface WireErrorEvent {
  readonly type: string
  readonly message: string
  readonly status?: number
}

export type WireFault =
  | { readonly fault: 'http'; readonly status: number; readonly body: unknown; readonly headers?: Headers }
  /** Before the first byte. */
  | { readonly fault: 'reset' }
  /** Takes the request and never answers. */
  | { readonly fault: 'silence' }
  /** 200, and not one event. */
  | { readonly fault: 'empty-stream' }

type Headers = Readonly<Record<string, string>>

export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return []
  return typeof text === 'string' ? [text] : text
}
