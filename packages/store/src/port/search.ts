import type { Role } from '@longhaul/engine/advanced'

export interface SearchQuery {
  readonly query: string
  /** Without it, all sessions that are not hidden. */
  readonly sessionId?: string
  /** Only messages before this `seq`: what the window does not show. */
  readonly before?: number
  readonly limit?: number
}

export interface SearchHit {
  readonly sessionId: string
  readonly entryId: string
  readonly seq: number
  readonly at: number
  readonly role: Role
  /** The words around the best match, at most about 200 characters. */
  readonly snippet: string
  /** Higher is better; comparable within one answer only. */
  readonly score: number
}

export interface Search {
  /** Best first. Never rejects for the words of a query: what holds no word finds nothing. */
  search(query: SearchQuery): Promise<readonly SearchHit[]>
  /** Makes the index anew from the entries; returns how many messages it holds. */
  rebuild(signal?: AbortSignal): Promise<number>
}
