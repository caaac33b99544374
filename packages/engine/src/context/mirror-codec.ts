import type { SealedMessage } from '../request/seal/sealed-request.ts'

/** Translates between the messages of a host and those of Longhaul. */
export interface MirrorCodec<M> {
  /** Reads a message of the host. `role: 'system'`, or null: it is not part of the conversation, and is sent as it is. */
  read(message: M): SealedMessage | null
  /** Writes a message that the host does not have: a summary, a pin, or one of its own (`original`) with shortened parts. */
  write(message: SealedMessage, original: M | null, about: WrittenAbout): M
  /** For hosts whose messages are no plain data: all that `read` looks at, as plain data. Messages with equal data are read once. */
  dataOf?(message: M): unknown
  /** For hosts whose messages hold less than ours, such as one result each: the pieces that are written one by one. */
  divide?(message: SealedMessage): readonly SealedMessage[]
}

/** What is known of a message that is written for a host. */
export interface WrittenAbout {
  /** When it was said, or when the summary was made. The same at every call, so that the same list gives the same bytes. */
  readonly at: number
}
