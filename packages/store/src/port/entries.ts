import type { Entry, Head } from '@longhaul/engine/advanced'
import type { Lease } from './leases.ts'

/** One atomic, durable step of a session: entries, the head they fold to, and the inbox items they answer. */
export interface Append {
  readonly lease: Lease
  /** `seq` continues the stored one without a gap. */
  readonly entries: readonly Entry[]
  /** The fold up to the last of `entries`. */
  readonly head: Head
  /** Inbox items that are dealt with once this is stored. */
  readonly settles?: readonly string[]
  /**
   * What it says is on disk somewhere else, so this need not be at once: in the inbox, whose item comes back if the machine
   * stops, or in the program that keeps the conversation and shows it again at its next call.
   */
  readonly isKeptElsewhere?: boolean
  /** Work prepared beside the conversation: refused unless the stored head is still of this epoch. */
  readonly epoch?: number
}

export interface EntryRange {
  /** From this `seq` on, itself included. */
  readonly from?: number
  /** Up to this `seq`, itself included. */
  readonly to?: number
  /** Without it, all of the range. */
  readonly limit?: number
  /** The last ones of the range instead of the first; in the order of `seq` all the same. */
  readonly fromEnd?: boolean
}

export interface Entries {
  /**
   * Resolves once it is on disk, a move aside. Rejects and stores nothing with `lease-lost` if another owner has taken over, the lease
   * was given back or the session was purged; `out-of-order` if `seq` does not continue what is stored; `epoch-passed` if
   * prepared work came too late; `id-conflict` if an entry of the session has the id already. A lease that has run out
   * is good until another owner takes the session.
   */
  append(append: Append): Promise<void>
  /** In the order of `seq`. A damaged row rejects with `damaged`, naming it. */
  read(sessionId: string, range: EntryRange): Promise<readonly Entry[]>
  /** Those that exist of the given numbers, in order. */
  readAt(sessionId: string, seqs: readonly number[]): Promise<readonly Entry[]>
  find(sessionId: string, entryId: string): Promise<Entry | null>
}
