/**
 * A failed call as it came back. Only errors are ever made into this: what a model or a user wrote is not looked at, so a
 * conversation about overflow texts is not taken for one.
 */
export interface ProviderError {
  /** HTTP status; null where there was none, or where an answer that began well carried the error. */
  readonly status: number | null
  readonly message: string
  readonly code?: string | null | undefined
  readonly type?: string | null | undefined
  /** The response's body, text or parsed. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  /** False for what went wrong on the way: no connection, a response that could not be read. Its text is never matched. */
  readonly isFromProvider: boolean
  /** What the caller measured and reckons with; they tell what an error without a word most likely is. */
  readonly expectedInputTokens?: number | null | undefined
  readonly windowTokens?: number | null | undefined
}
