import type { Attachment, CommandResult, Compaction, Message } from '@longhaul/protocol'

/** Everything the page knows about one conversation: what is stored, what is happening, and what only this page saw. */
export interface Conversation {
  /** As stored, in order, without gaps; the oldest may not be loaded yet. */
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
  /** Whether the first page is there. */
  readonly isLoaded: boolean
  /** Stored and waiting for their turn, or on the way to the server. */
  readonly waiting: readonly WaitingMessage[]
  /** What events told of turns that are not wholly among `messages` yet, oldest first. */
  readonly turns: readonly LiveTurn[]
  /** By the call's id. */
  readonly results: Readonly<Record<string, LiveResult>>
  readonly approvals: readonly Approval[]
  /** Work beside the conversation that is under way. */
  readonly maintenance: 'compacting' | 'flushing' | null
  readonly compactions: readonly Compaction[]
  /** The last event after which they may be others, as counted by `heard`. */
  readonly compactionsEvent: number
  readonly cards: readonly Card[]
  readonly connection: 'connecting' | 'open' | 'lost'
  /** The server's number of the last event that was taken in; 0 before the first. Goes back where the server's does. */
  readonly lastEvent: number
  /** How many events were taken in: never goes back, so it tells before from after. */
  readonly heard: number
  /** Whether something was stored that is not among `messages`. */
  readonly isStale: boolean
  /** Grows whenever what the next request would hold may have changed. */
  readonly revision: number
}

export interface WaitingMessage {
  readonly id: string
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly state: 'sending' | 'queued' | 'failed'
  /** Why it could not be sent. */
  readonly problem: string | null
}

export interface LiveTurn {
  /** The id of the message it answers. */
  readonly turnId: string
  /** The user's message, where this page knows it before it is among the stored ones. */
  readonly asked: WaitingMessage | null
  readonly steps: readonly LiveStep[]
  /** The event that ended it, as counted by `heard`; null while it runs. */
  readonly doneEvent: number | null
}

/** One answer of the model, with the calls it makes. */
export interface LiveStep {
  /** The stored message's id, once it is known. */
  readonly id: string | null
  readonly parts: readonly LivePart[]
}

export type LivePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: Readonly<Record<string, unknown>>
    }

export interface LiveResult {
  readonly output: string
  readonly isTruncated: boolean
  readonly isError: boolean
}

export interface Approval {
  readonly callId: string
  /** The call as a person must see it before a yes. */
  readonly display: string
}

/** Something only this page shows, after what was said when it came. */
export type Card = {
  readonly id: string
  /** The turn it stands behind; null: before the first. */
  readonly turnId: string | null
} & CardBody

export type CardBody =
  | { readonly type: 'problem'; readonly event: number; readonly code: string | null; readonly text: string }
  | { readonly type: 'notice'; readonly event: number; readonly text: string }
  | {
      readonly type: 'command'
      readonly line: string
      readonly outcome: CommandOutcome
    }

export type CommandOutcome =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly result: CommandResult }
  | { readonly state: 'failed'; readonly problem: string }

export const EMPTY_CONVERSATION: Conversation = {
  messages: [],
  hasOlder: false,
  isLoaded: false,
  waiting: [],
  turns: [],
  results: {},
  approvals: [],
  maintenance: null,
  compactions: [],
  compactionsEvent: 0,
  cards: [],
  connection: 'connecting',
  lastEvent: 0,
  heard: 0,
  isStale: false,
  revision: 0,
}

/** The turn the model is working on; what follows its answer keeps nobody waiting. */
export function findRunningTurn({ turns }: Conversation): LiveTurn | null {
  return turns.findLast(({ doneEvent, steps }) => doneEvent === null && (steps.at(-1)?.id ?? null) === null) ?? null
}

/** The turn that whatever comes now stands behind. */
export function findLastTurnId({ turns, messages }: Conversation): string | null {
  return turns.at(-1)?.turnId ?? messages.findLast(({ role }) => role === 'user')?.id ?? null
}

export function isStored({ messages }: Conversation, messageId: string): boolean {
  return messages.some(({ id }) => id === messageId)
}

/** Whether a message is among the stored ones, or being answered. */
export function isKnown(conversation: Conversation, messageId: string): boolean {
  return isStored(conversation, messageId) || conversation.turns.some(({ turnId }) => turnId === messageId)
}
