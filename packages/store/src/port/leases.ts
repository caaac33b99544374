import type { JsonObject } from '@longhaul/engine/advanced'

/** A process that can own sessions. */
export interface Owner {
  /** Names this process among all that use the store. */
  readonly id: string
  /** Names the machine's current boot and process namespace: within it, `pid` and `startedAt` tell whether it lives. */
  readonly host: string
  readonly pid: number
  /** When the process started, in the host's own ticks: a pid alone is used again. */
  readonly startedAt: string
  /** Where other processes reach it, if they can. */
  readonly address?: string
}

/**
 * The right to append to one session. `token` grows with every new owner and is never given twice, not even for an id
 * that was purged and used again; every append is fenced by it.
 */
export interface Lease {
  readonly sessionId: string
  readonly token: number
  readonly ownerId: string
}

export type Acquired =
  | {
      readonly ok: true
      readonly lease: Lease
      /** Work that an owner before was at when it vanished, or left when it went, until `setWork` says it is settled. */
      readonly abandoned: JsonObject | null
    }
  | { readonly ok: false; readonly owner: Owner; readonly expiresInMs: number }

export interface Leases {
  /** After this long without a beat, another process may take over. */
  readonly ttlMs: number
  /** How often an owner renews; several beats fit into `ttlMs`, so that one slow write loses nothing. */
  readonly beatMs: number
  /**
   * Takes a session that is free, whose owner has died on this host, or whose owner has not renewed for `ttlMs`.
   * An owner that asks for what it has gets the same lease again, with nothing abandoned. Rejects with `not-found` for
   * no session.
   */
  acquire(sessionId: string, owner: Owner): Promise<Acquired>
  /** One beat for all of them; returns those that are lost. */
  renew(leases: readonly Lease[]): Promise<readonly Lease[]>
  /**
   * Gives it back at once. The work is over, unless `left` says what the next owner will find abandoned. A lease that is
   * lost already is no error.
   */
  release(lease: Lease, left?: JsonObject | null): Promise<void>
  /** Notes work that must not vanish without a trace, before it starts; null when it is done. Rejects with `lease-lost`. */
  setWork(lease: Lease, work: JsonObject | null): Promise<void>
  /** null once it is free or has run out. */
  getOwner(sessionId: string): Promise<Owner | null>
}
