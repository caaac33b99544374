export type StoreErrorCode = 'unreadable-transcript'

/** What can go wrong here, as a closed list of codes. The message says what to do next. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
