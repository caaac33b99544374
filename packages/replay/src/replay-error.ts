export type ReplayErrorCode = 'unknown-policy' | 'unknown-model'

/** What was asked for does not exist; the message names what is near. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
  readonly code: ReplayErrorCode

  constructor(code: ReplayErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
