import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelCall } from '../port/model-call.ts'
import type { Dialect } from '../stream/prompt/dialect.ts'

/** A model that can be called, and what its vendor wants with every call. */
export interface ConnectedModel {
  readonly model: LanguageModelV4
  /** How messages become its prompt. */
  readonly dialect: Dialect
  /**
   * The last word on what is sent: vendor options and cache breakpoints. `options.prompt` ends with the messages of the
   * call, one for one, but for what the dialect moves elsewhere.
   */
  prepare(options: LanguageModelV4CallOptions, call: ModelCall): LanguageModelV4CallOptions
}
