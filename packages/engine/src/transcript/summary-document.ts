/**
 * A summary is not a blob but sections of items, each with the messages it rests on, so that a later compaction can
 * change one item and leave the others byte for byte as they were. Plain prose is a document with one item.
 * The ledger beside it holds what code took from the messages; no model writes there.
 */
export interface SummaryDocument {
  readonly version: 1
  readonly sections: readonly SummarySection[]
  readonly ledger?: readonly LedgerFact[]
  /** How much of it is shown, fixed when it was written, so that it reads the same until the next one; absent: all. */
  readonly budgets?: SummaryBudgets
}

export interface SummaryBudgets {
  readonly documentTokens: number
  readonly ledgerTokens: number
  readonly estimator: 'plain' | 'classes'
}

export interface SummarySection {
  /** Empty: the items stand without a heading. */
  readonly title: string
  readonly items: readonly SummaryItem[]
}

export interface SummaryItem {
  readonly id: string
  readonly text: string
  readonly sources: readonly string[]
  readonly status: 'open' | 'done'
}

export const FACT_KINDS = [
  'first-ask',
  'latest-ask',
  'ask',
  'instruction',
  'decision',
  'open-work',
  'failure',
  'file-changed',
  'file-read',
  'command',
  'url',
  'id',
  'figure',
] as const

export type FactKind = (typeof FACT_KINDS)[number]

export interface LedgerFact {
  readonly kind: FactKind
  /** What identifies it: the path, the command, the address, the user's own words. */
  readonly text: string
  /** What is known of it beside that: an outcome, a last state, the words a figure stood in. */
  readonly note?: string
  readonly by: 'user' | 'assistant' | 'tool'
  readonly sources: readonly string[]
  readonly count: number
  /** `seq` of the newest message that mentions it. */
  readonly lastSeq: number
}
