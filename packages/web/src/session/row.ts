import type { Compaction, Message, Part } from '@longhaul/protocol'
import type { Card, WaitingMessage } from './conversation.ts'

/** One piece of the conversation on screen; `key` stays the same while it streams and when it is stored. */
export type Row =
  | AskedRow
  | AnswerRow
  | { readonly kind: 'compaction'; readonly key: string; readonly compaction: Compaction }
  | { readonly kind: 'card'; readonly key: string; readonly card: Card }
  /** Why a stored answer failed, where this page did not hear it when it happened. */
  | { readonly kind: 'failure'; readonly key: string; readonly failure: NonNullable<Message['failure']> }
  | { readonly kind: 'waiting'; readonly key: string; readonly message: WaitingMessage }
  | { readonly kind: 'working'; readonly key: string }

/** What the user said. */
export interface AskedRow {
  readonly kind: 'asked'
  readonly key: string
  readonly id: string
  readonly text: string
  readonly media: readonly MediaPart[]
  /** Null until it is stored. */
  readonly at: number | null
}

export interface AnswerRow {
  readonly kind: 'answer'
  readonly key: string
  /** Null until it is stored. */
  readonly id: string | null
  /** The stored messages it shows: its own, and those with the results of its calls. */
  readonly messageIds: readonly string[]
  readonly parts: readonly AnswerPart[]
  readonly ending: 'streaming' | 'complete' | 'aborted' | 'failed'
  readonly at: number | null
}

export type MediaPart = Extract<Part, { type: 'image' | 'file' }>

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | MediaPart
  | CallPart

export interface CallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
  /** `asking`: it waits for a yes; `lost`: it never came back. */
  readonly state: 'asking' | 'running' | 'done' | 'failed' | 'lost'
  /** The call as a person must see it before a yes; null where nobody is asked. */
  readonly display: string | null
  readonly result: CallResult | null
}

export interface CallResult {
  readonly output: string
  readonly media: readonly MediaPart[]
  readonly isTruncated: boolean
  /** Where the whole output lies; null also while only an event told of it. */
  readonly artifactId: string | null
}
