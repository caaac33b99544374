import type { CompactionReason, EntryRef } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import type { SummaryDocument } from '../transcript/summary-document.ts'

/** Where the base would move: what is kept, by reference. Shared by compactions and trims. */
export interface BaseMove {
  readonly fromSeq: number
  readonly firstKept: (EntryRef & { readonly at: number }) | null
  /** Messages before `firstKept` that are sent all the same: the newest ask, the first one where the policy keeps it. */
  readonly carried: readonly EntryRef[]
  readonly previous: EntryRef | null
}

/** What a compaction would do, before any model is asked. */
export interface CompactionPlan {
  readonly action: 'compact'
  readonly reason: CompactionReason
  /** The strategy that writes the document. */
  readonly strategy: string
  readonly instructions?: string
  /** The request of a user that asked for it; the stored entry answers it. */
  readonly requestId?: string
  readonly move: BaseMove
  /** What the summary replaces, oldest first; never a carried message. */
  readonly span: readonly Item[]
  /** What stays word for word beside it, carried messages included. */
  readonly kept: readonly Item[]
  readonly previousDocument: SummaryDocument | null
  readonly tokensBefore: number
  readonly spanTokens: number
  /** Work planned at one epoch is void at another: the base moved or the model changed meanwhile. */
  readonly epoch: number
}

export type NothingToCompact =
  | 'window-unknown'
  | 'no-messages'
  | 'too-few-messages'
  | 'all-protected'
  | 'too-little-to-gain'

export interface NoCompaction {
  readonly action: 'none'
  readonly reason: NothingToCompact
}

/** What leaving the oldest messages out would do: the fallback that needs no model. */
export interface TrimPlan {
  readonly action: 'trim'
  readonly reason: 'summary-failed' | 'max-messages' | 'overflow'
  readonly move: BaseMove
  readonly dropped: readonly Item[]
  readonly note: string | null
  readonly tokensBefore: number
  readonly epoch: number
}
