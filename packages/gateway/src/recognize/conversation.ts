import type { createQueue } from '@longhaul/engine/advanced'
import type { HostSession } from '@longhaul/store/host'
import type { ClientList } from '../list/read-list.ts'
import type { SentPiece } from '../list/piece.ts'
import type { Surroundings } from '../wires/wire.ts'

/** A list that was sent, and the client's list that it stands for. */
export interface SentList {
  readonly list: ClientList
  readonly sent: readonly SentPiece[]
}

/** A conversation that this process knows. Calls of one conversation are prepared one after the other. */
export interface Conversation {
  readonly session: HostSession<SentPiece>
  readonly inTurn: ReturnType<typeof createQueue>
  /** The hashes of the messages that the client sent last. */
  chain: readonly string[]
  /** null: not known since the process started. */
  fingerprint: string | null
  /** The list that the mirror is given at the moment. */
  list: ClientList | null
  last: SentList | null
  surroundings: { readonly system: string; readonly tools: string; readonly read: Surroundings } | null
  /** The client has just made a summary of its own. */
  isCompacted: boolean
  /** Requests that are being prepared. */
  uses: number
  /** Counts the requests, so that a bill is put to the right one. */
  requests: number
}

export function startsWithChain(hashes: readonly string[], chain: readonly string[]): boolean {
  return chain.length <= hashes.length && chain.every((hash, index) => hash === hashes[index])
}
