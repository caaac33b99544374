import type { Artifacts } from './artifacts.ts'
import type { DumpRecord } from './dump.ts'
import type { Entries } from './entries.ts'
import type { Events } from './events.ts'
import type { Inbox } from './inbox.ts'
import type { Learned } from './learned.ts'
import type { Leases } from './leases.ts'
import type { Memory } from './memory.ts'
import type { Requests } from './requests.ts'
import type { Search } from './search.ts'
import type { Sessions } from './sessions.ts'

/** Something others may wait for. `sessionId` null: it could be any session, look at those you care for. */
export interface Change {
  readonly sessionId: string | null
  readonly what: 'entries' | 'inbox' | 'events' | 'any'
}

export interface Problem {
  readonly sessionId: string | null
  readonly what: string
  /** What to do about it. */
  readonly advice: string
}

/**
 * Where sessions live. Every backend keeps these promises; the conformance suite in `@longhaul/store/testing` tests them.
 * Whatever resolves without saying otherwise is durable. Rejections are a `StoreError`, and change nothing. Writing to a
 * session that is not there rejects with `not-found`; reading from it finds nothing. A limit out of range is clamped.
 */
export interface Store {
  readonly kind: string
  readonly sessions: Sessions
  readonly entries: Entries
  readonly inbox: Inbox
  readonly leases: Leases
  readonly requests: Requests
  readonly events: Events
  readonly artifacts: Artifacts
  readonly learned: Learned
  readonly memory: Memory
  readonly search: Search
  /**
   * Calls back soon after a change by any process, at once for one of this process. Calls may come too often, never
   * too seldom: a listener looks for itself what is new. Returns the way to stop. Whoever cares for one session names
   * it, and is not called for changes of others.
   */
  watch(listener: (change: Change) => void, sessionId?: string): () => void
  /** A snapshot, while others go on writing. */
  dump(signal?: AbortSignal): AsyncIterable<DumpRecord>
  /** Into an empty store, all or nothing; else rejects with `not-empty`. */
  load(records: AsyncIterable<DumpRecord>): Promise<void>
  /** Damage that only the backend can see: pages, indexes, missing files. `verifyStore` asks for it. */
  check(signal?: AbortSignal): Promise<readonly Problem[]>
  /** Resolves if something can be stored at the moment, and rejects as a write would. What it stores is gone again. */
  probe(): Promise<void>
  /** A cache of the fold gone wrong is put right from the entries. */
  repairHead(sessionId: string): Promise<void>
  close(): Promise<void>
}
