import type { CheckPoint } from '@longhaul/engine/advanced'
import type { RequestItem } from '../carriers/carrier.ts'
import type { StorageRule } from '../conversation/conversation.ts'

/** A session as a peer's program sees it before a request. */
export interface Situation {
  /** What the next request would hold, in order, an earlier summary included. */
  readonly items: readonly RequestItem[]
  /** All of it with system prompt and tools, as the provider would bill it. */
  readonly tokens: number
  readonly windowTokens: number
  readonly maxOutputTokens: number
  readonly checkPoint: CheckPoint
  readonly at: number
  readonly lastRequestAt: number | null
}

/** What stays after a compaction, in the order of the next request. The rest is summarised. */
export interface Kept {
  readonly before?: readonly RequestItem[]
  readonly after?: readonly RequestItem[]
  /** What the program puts back in its own words, after the summary. */
  readonly restored?: readonly string[]
}

/** Tool results that are replaced by a placeholder, for good or for one request. */
export interface Clearing {
  readonly reason: string
  readonly items: ReadonlySet<RequestItem>
  readonly placeholder: string
}

export interface SummaryCallRule {
  /** The call continues the conversation, so that a warm cache is read; else all of the span is sent anew. */
  readonly readsPrefix: boolean
  readonly calls: number
  readonly maxOutputTokens: number
  /** Only the newest part of what is to be summarised, of this size, is read; null: all. */
  readonly maxReadTokens: number | null
  /** Tool results are cut to this for the summariser; null: they are not. */
  readonly resultMaxChars: number | null
  /** It is ready before it is needed: nobody waits. */
  readonly isBackground: boolean
}

/** A peer's published defaults as a policy: when, what stays, what is cleared. */
export interface Peer {
  readonly name: string
  readonly about: string
  /** Version or date, and where its digits were read. */
  readonly source: string
  /** Absent: what tools answer is stored as it is. */
  readonly storage?: StorageRule
  readonly summary: SummaryCallRule
  /** After a refusal for length it compacts and tries again. */
  readonly recoversFromOverflow?: true
  /** A summary that makes nothing smaller is thrown away, and none is asked for again. */
  readonly discardsLarger?: true
  /** Why a compaction is due; null: it is not. */
  isDue(situation: Situation): string | null
  keep(situation: Situation): Kept
  /** After a refusal for length, where that is something else. */
  keepAfterRefusal?(situation: Situation): Kept
  /** Clears for good. */
  clear?(situation: Situation): Clearing | null
  /** Clears in the next request only; worked out anew for each. */
  clearOnce?(situation: Situation): Clearing | null
}

/** The usual call: the session's model reads the span as text. */
export const PLAIN_SUMMARY: SummaryCallRule = {
  readsPrefix: false,
  calls: 1,
  maxOutputTokens: 4_096,
  maxReadTokens: null,
  resultMaxChars: null,
  isBackground: false,
}
