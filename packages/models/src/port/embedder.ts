/** Texts that are to become vectors. */
export interface EmbedCall {
  readonly texts: readonly string[]
  /** For all of it. Default: a minute. */
  readonly timeoutMs?: number
  /** After throttling, server errors and lost connections. Default 3; 0 where somebody waits. */
  readonly maxRetries?: number
}

/** An embedding model. What it makes of a text is a list of numbers; texts that mean the same have numbers that are near. */
export interface Embedder {
  /** `provider/model`. */
  readonly model: string
  /** A vector for each text, in their order. Of a text too long for the model the beginning counts. Rejects with `call-failed`. */
  embed(call: EmbedCall, signal: AbortSignal): Promise<readonly (readonly number[])[]>
}
