export type ModelFailureKind =
  /** The prompt is larger than the window. Smaller is the only cure. */
  | 'input-overflow'
  /** Prompt and requested output together are: asking for less output is the cheaper cure. */
  | 'output-overflow'
  /** Too many bytes, whatever the tokens: images and long results must go. */
  | 'request-too-large'
  /** Thinking that was bound to another prefix: leave it out. Sending the same again can never work. */
  | 'thinking-binding'
  /** The request itself is invalid: a bug of ours or a wrong option. */
  | 'invalid-request'
  /** Too many requests or tokens a minute; waiting helps. */
  | 'rate-limited'
  | 'auth'
  | 'unknown-model'
  | 'unavailable'
  | 'timeout'
  /** It broke off in the middle of an answer. */
  | 'interrupted'
  /** It ended without an answer. */
  | 'empty'
  /** The provider's rules stopped it. */
  | 'refused'
  | 'aborted'

/** Why a call failed, as data. Keys and tokens of the user are blacked out in `message`. */
export interface ModelFailure {
  readonly kind: ModelFailureKind
  /** One line: what happened, in the provider's words where it had any. */
  readonly message: string
  readonly isRetryable: boolean
  readonly status: number | null
  readonly retryAfterMs: number | null
  /**
   * Parsed from the text: the prompt that was sent, what is allowed. The limit of an overflow is worth keeping; that of
   * `rate-limited` is a budget a minute, no window.
   */
  readonly tokens: { readonly actual: number | null; readonly limit: number | null } | null
}
