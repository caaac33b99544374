export type ServerErrorCode =
  /** Somebody else listens there. */
  | 'port-in-use'
  /** The host is not one of this machine, or the port is not for everybody. */
  | 'cannot-listen'
  /** Others could connect, and nothing would keep them out. */
  | 'no-token'

/** Why a server did not start. The message says what to do next. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
  readonly code: ServerErrorCode

  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
