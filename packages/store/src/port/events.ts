import type { JsonObject } from '@longhaul/engine/advanced'
import type { Lease } from './leases.ts'

/** What clients are shown while it happens. Short-lived and not synced to disk: whatever must last is an entry. */
export interface StoredEvent {
  /** Grows by one within a session, also after older events were deleted: a client resumes with the last one it saw. */
  readonly id: number
  readonly at: number
  readonly event: JsonObject
}

export interface Events {
  /**
   * Returns the id of the last one. What an owner tells comes with its lease, and is refused with `lease-lost` under the
   * same rules as an append: a late owner must not be heard in the middle of the next one's answer. Anybody else needs none.
   */
  add(sessionId: string, at: number, events: readonly JsonObject[], lease?: Lease): Promise<number>
  read(sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>
  /** 0 before the first. */
  getLastId(sessionId: string): Promise<number>
  deleteBefore(at: number): Promise<number>
}
