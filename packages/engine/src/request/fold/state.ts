import type { EntryRef } from '../../transcript/entry.ts'
import type { Item } from '../../transcript/item.ts'
import type { JsonObject } from '../../transcript/json.ts'
import type { SummaryDocument } from '../../transcript/summary-document.ts'
import type { AppendList } from './append-list.ts'

/** Changes whenever the fold would make another head of the same entries: then a stored head is refolded. */
export const FOLD_VERSION = 6

/** Where requests start. Everything before `fromSeq` is out of the context, save the summary and what is carried. */
export interface Base {
  readonly kind: 'start' | 'compaction' | 'trim' | 'reset'
  /** The entry that moved the base; null at the start of the session. */
  readonly entry: EntryRef | null
  readonly fromSeq: number
  readonly carried: readonly EntryRef[]
  /** The compaction whose document is in force. */
  readonly summary: EntryRef | null
  /** Messages left out since that summary, without one. */
  readonly dropped: number
  /** Said in place of a summary where messages were left out without one. */
  readonly note: string | null
  readonly previous: EntryRef | null
}

export interface Pin {
  readonly id: string
  readonly seq: number
  readonly text: string
}

export interface Totals {
  readonly messages: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
  /** Billed calls whose price nobody knows: `costUsd` says nothing of them. */
  readonly unpricedCalls: number
}

/** Pointers and counters: what a store keeps with the session so that opening it needs no old entry. A cache, refolded at will. */
export interface Head {
  readonly foldVersion: number
  readonly lastSeq: number
  /** `seq` of the last entry that moved the base or changed the model. Work prepared at another epoch is void. */
  readonly epoch: number
  readonly model: string | null
  readonly base: Base
  readonly pins: readonly Pin[]
  readonly settings: { readonly title?: string; readonly preset?: string; readonly policy?: JsonObject }
  readonly environmentHash: string | null
  readonly lastCall: { readonly at: number; readonly model: string | null } | null
  /** The user's newest message, until an answer to it, or the end of its turn without one, is stored. */
  readonly owed: EntryRef | null
  /** Compactions made, trims and resets included; never runs backwards, so that a flush belongs to one cycle for good. */
  readonly cycle: number
  readonly compactionCount: number
  readonly flush: { readonly cycle: number | null; readonly failures: number }
  /** In a row. Beyond the breaker they count what needs no model, and only since the last message: then it is tried anew. */
  readonly compactionFailures: number
  /** When a model last failed at one; null: none has yet. */
  readonly compactionFailedAt: number | null
  /** After an undo, nothing is compacted again before the hard limit. */
  readonly isExempt: boolean
  /**
   * `seq` of the newest message that brought in text of somebody else: the result of a tool, an attached file. A summary
   * may still hold that text after the message has left the context. null: there was no such message.
   */
  readonly foreignSeq: number | null
  readonly totals: Totals
}

/** The fold of a transcript: its head, and the messages a request can be made of. */
export interface State {
  readonly head: Head
  readonly document: SummaryDocument | null
  readonly carried: readonly Item[]
  readonly window: AppendList<Item>
  /** Documents and bases below the one in force, as far as they are loaded; an undo goes back to them. */
  readonly earlier: readonly { readonly base: Base; readonly document: SummaryDocument | null }[]
  /** An undo or a branch reached behind what is loaded: the entry to go back to. Read what it needs and call `openState`. */
  readonly missing: EntryRef | 'start' | null
}
