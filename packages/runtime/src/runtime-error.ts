export type RuntimeErrorCode =
  /** Keys, types or values that cannot be used; `issues` lists them all. */
  | 'invalid-configuration'
  /** The file is there but cannot be read, or was named and is not there. */
  | 'unreadable-configuration'
  /** What a session asks for that the configuration does not have. */
  | 'unknown-preset'
  | 'unknown-agent'

/** One thing that is wrong with the configuration. */
export interface ConfigIssue {
  /** As it was written. */
  readonly path: string
  /** `FILE:LINE`, `environment NAME` or `option --NAME`. */
  readonly where: string
  /** Of the file; null for what does not stand in it. */
  readonly line: number | null
  readonly message: string
}

interface ErrorDetails extends ErrorOptions {
  readonly issues?: readonly ConfigIssue[]
}

/** What can go wrong before there is anything to run. The message says what to do next and never holds a key. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError'
  readonly code: RuntimeErrorCode
  readonly issues: readonly ConfigIssue[]

  constructor(code: RuntimeErrorCode, message: string, { issues = [], ...options }: ErrorDetails = {}) {
    super(message, options)
    this.code = code
    this.issues = issues
  }
}
