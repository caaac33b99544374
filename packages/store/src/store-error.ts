export type StoreErrorCode =
  | 'unreadable-transcript'
  | 'unreadable-backup'
  /** No such session, entry or item; or it is hidden. */
  | 'not-found'
  /** The id is taken by something else. */
  | 'id-conflict'
  /** Another owner has the session now. Stop, and write nothing more. */
  | 'lease-lost'
  | 'out-of-order'
  | 'epoch-passed'
  /** What was handed in cannot be stored as it is. */
  | 'invalid'
  | 'not-empty'
  /** The database was made by a newer version of Longhaul; it was left as it is. */
  | 'newer-schema'
  /** Locked, full, read-only or not reachable: nothing was stored, unless the message says so, and it may work later. */
  | 'unavailable'
  /** Stored bytes do not read back. */
  | 'damaged'
  | 'closed'

export interface StoreErrorOptions extends ErrorOptions {
  readonly isFull?: boolean
}

/** What can go wrong here, as a closed list of codes. The message says what to do next. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  /** It is `unavailable` because its disk has no room left. */
  readonly isFull: boolean

  constructor(code: StoreErrorCode, message: string, options: StoreErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.isFull = options.isFull === true
  }
}
