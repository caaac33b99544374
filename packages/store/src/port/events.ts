import type { JsonObject } from '@longhaul/engine'

/** What clients are shown while it happens. Short-lived and not synced to disk: whatever must last is an entry. */
export interface StoredEvent {
  /** Grows by one within a session, also after older events were deleted: a client resumes with the last one it saw. */
  readonly id: number
  readonly at: number
  readonly event: JsonObject
}

export interface Events {
  /** Returns the id of the last one. */
  add(sessionId: string, at: number, events: readonly JsonObject[]): Promise<number>
  read(sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>
  /** 0 before the first. */
  getLastId(sessionId: string): Promise<number>
  deleteBefore(at: number): Promise<number>
}
