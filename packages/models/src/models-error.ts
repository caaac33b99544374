import type { Usage } from '@longhaul/engine/advanced'
import type { ModelFailure } from './port/model-failure.ts'

export type ModelsErrorCode =
  /** Keys, types or values of the configuration that cannot be used; `issues` lists them. */
  | 'invalid-configuration'
  /** A call for a summary or for vectors that failed; `failure` says how. Streams report failures as events instead. */
  | 'call-failed'

/** One thing that is wrong with a configuration. The message says where it is and what to do. */
export interface ConfigIssue {
  readonly path: readonly string[]
  readonly message: string
}

interface ErrorDetails extends ErrorOptions {
  readonly issues?: readonly ConfigIssue[]
  readonly failure?: ModelFailure
  readonly usage?: Usage | null
}

/** What can go wrong here, as a closed list of codes. The message says what to do next and never holds a key. */
export class ModelsError extends Error {
  override readonly name = 'ModelsError'
  readonly code: ModelsErrorCode
  readonly issues: readonly ConfigIssue[]
  readonly failure: ModelFailure | null
  /** What the failed call was billed for all the same. */
  readonly usage: Usage | null

  constructor(code: ModelsErrorCode, message: string, { issues = [], failure, usage, ...options }: ErrorDetails = {}) {
    super(message, options)
    this.code = code
    this.issues = issues
    this.failure = failure ?? null
    this.usage = usage ?? null
  }
}
