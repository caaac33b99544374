import type { Entry, Head, JsonObject } from '@longhaul/engine/advanced'

/** A session without its entries. The head is a cache of their fold, written in the same transaction as they are. */
export interface SessionRecord {
  readonly id: string
  readonly createdAt: number
  /** When its newest entry was made; compactions count. Never runs backwards. */
  readonly updatedAt: number
  /** Hidden since then; null: not hidden. */
  readonly deletedAt: number | null
  /** The user's title, else the one it was created with. */
  readonly title: string | null
  /** The start of the newest text that the user or the model wrote. */
  readonly preview: string | null
  /** What its creator said of it and no entry repeats: agent, fields of an imported header. Exported as it came. */
  readonly header: JsonObject
  readonly head: Head
}

export interface NewSession {
  readonly id: string
  readonly createdAt: number
  readonly header?: JsonObject
  /**
   * What it starts with: its first settings, or a whole imported transcript, which may come in pieces. `seq` runs from 1.
   * Pieces may be walked more than once. However many they are, nobody else waits for long while they are stored.
   */
  readonly entries?: readonly Entry[] | AsyncIterable<readonly Entry[]>
  readonly artifacts?: readonly { readonly id: string; readonly content: string }[]
}

export interface SessionQuery {
  /** Words of the title or of any message. */
  readonly query?: string
  /** `next` of the page before. */
  readonly after?: string
  readonly limit?: number
  /** Hidden ones alone; without it, only those that are not hidden. */
  readonly deleted?: boolean
  /** Only those last changed before this time. */
  readonly updatedBefore?: number
}

export interface SessionPage {
  readonly items: readonly SessionRecord[]
  readonly next: string | null
}

export interface Sessions {
  /** All or nothing, the entries with it, also if the process dies meanwhile. Rejects with `id-conflict` if the id is taken, by a hidden session too. */
  create(session: NewSession): Promise<SessionRecord>
  get(id: string): Promise<SessionRecord | null>
  /** Newest change first. */
  list(query: SessionQuery): Promise<SessionPage>
  /** Hides a session, or shows it again with null. Messages sent to a hidden session are refused; its owner may go on. */
  setDeleted(id: string, at: number | null): Promise<void>
  /**
   * Erases it for good, hidden or not: entries, inbox, search rows, artifacts nobody else holds, manifests, events. When
   * this resolves, nothing can read its text any more; a backend whose pages keep deleted bytes for a while says so in
   * the guide. An owner that still runs loses its lease. What is not there is no error.
   */
  purge(id: string): Promise<void>
}
