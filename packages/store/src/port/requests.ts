import type { JsonObject, Manifest, StoredManifest } from '@longhaul/engine/advanced'

/** What became of a request: its bill, or why it failed. */
export interface SettledRequest {
  readonly manifest: Manifest
  readonly outcome: JsonObject | null
}

export interface RequestPage {
  readonly items: readonly SettledRequest[]
  /** Pass it as `before` for the next page. */
  readonly next: number | null
}

/** Manifests explain requests; nothing is ever folded from them, so they may be lost or deleted. */
export interface Requests {
  /** The same number again replaces what was there. */
  add(sessionId: string, manifest: StoredManifest): Promise<void>
  /** A number that is not there is no error. */
  settle(sessionId: string, number: number, outcome: JsonObject): Promise<void>
  /** null if it is not there or rests on one that was deleted. */
  get(sessionId: string, number: number): Promise<SettledRequest | null>
  getLast(sessionId: string): Promise<SettledRequest | null>
  /** 0 before the first. Never runs backwards, whatever was deleted. */
  getLastNumber(sessionId: string): Promise<number>
  /** Newest first; those that cannot be restored are left out. */
  list(sessionId: string, page: { readonly before?: number; readonly limit?: number }): Promise<RequestPage>
  /** The newest of each session stays, so that numbers go on from it; returns how many are gone. */
  deleteBefore(at: number): Promise<number>
}
