import { hashMessage } from '@longhaul/engine/advanced'
import type { PlainMessage, Segment } from '../wires/wire.ts'

/** One message of a client's list, with the bytes it was read from. The same bytes at the same place keep the same object. */
export interface Piece {
  readonly kind: 'piece'
  /** null: it is not part of the conversation. */
  readonly message: PlainMessage | null
  readonly segments: readonly Segment[]
  /** By normalized content; null: it is not part of the conversation. */
  readonly hash: string | null
}

/** A message of the client with other parts. */
export interface EditedPiece {
  readonly kind: 'edited'
  /** Its place among the client's messages of the conversation. */
  readonly place: number
  readonly hash: string
  readonly shown: PlainMessage
}

/** A message that the client does not have: a summary, a pin. */
interface WrittenPiece {
  readonly kind: 'written'
  readonly shown: PlainMessage
}

export type SentPiece = Piece | EditedPiece | WrittenPiece

export function createPiece(segments: readonly Segment[]): Piece {
  const role = segments[0]?.role ?? null
  if (role === null) return { kind: 'piece', message: null, segments, hash: null }
  const message = { role, parts: segments.flatMap(({ parts }) => parts) }
  return { kind: 'piece', message, segments, hash: role === 'system' ? null : hashMessage(message) }
}
