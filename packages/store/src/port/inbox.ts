import type { JsonObject } from '@longhaul/engine/advanced'
import type { Lease } from './leases.ts'

export type InboxKind =
  | 'message'
  | 'approval'
  | 'cancel'
  | 'compact'
  | 'flush'
  | 'undo'
  | 'reset'
  | 'pin'
  | 'unpin'
  | 'settings'
  | 'model'

/** Something from outside that waits for the session's owner. Stored means acknowledged. */
export interface InboxItem {
  readonly sessionId: string
  /** Made by the client. A message keeps it as the id of its entry. */
  readonly id: string
  /** The order of arrival in its session; grows, with gaps. */
  readonly position: number
  readonly at: number
  readonly kind: InboxKind
  readonly payload: JsonObject
}

export type NewInboxItem = Omit<InboxItem, 'position'>

export interface Stored {
  readonly item: InboxItem
  /** The same item had arrived before: `waiting` still, or `settled` since. */
  readonly status: 'new' | 'waiting' | 'settled'
}

export interface Inbox {
  /**
   * Resolves once it is on disk; needs no lease. The same id with the same kind and payload changes nothing and says so;
   * with another payload it rejects with `id-conflict`, also long after the item was settled; so does an id that only an
   * entry of the session has. Rejects with `not-found` for a session that is not there or hidden.
   */
  put(item: NewInboxItem): Promise<Stored>
  /** What waits, in order of arrival. */
  list(sessionId: string): Promise<readonly InboxItem[]>
  /** Sessions with something waiting that nobody owns at the moment, oldest item first; hidden ones are left out. */
  listUnowned(limit: number): Promise<readonly string[]>
  /**
   * Items nobody can act on any more (a cancel without a turn); most are settled by an append instead. Unknown ids are no
   * error. Rejects with `lease-lost` under the same rules as an append: a late owner settles nothing.
   */
  settle(lease: Lease, ids: readonly string[]): Promise<void>
  /** Forgets settled items; from then on their ids are unknown unless they became entries. */
  deleteSettledBefore(at: number): Promise<number>
}
