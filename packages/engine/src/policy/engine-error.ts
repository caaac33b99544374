/** One thing that is wrong with an input: where, what was expected, what was there, and the nearest known key. */
export interface InputIssue {
  readonly path: string
  readonly expected: string
  readonly got: string
  readonly suggestion?: string
}

export type EngineErrorCode =
  | 'invalid-policy'
  | 'invalid-options'
  | 'invalid-message'
  | 'nothing-to-send'
  | 'cannot-fit'
  | 'nothing-to-compact'
  | 'nothing-to-undo'
  | 'undo-would-not-fit'
  | 'pin-too-large'
  | 'not-found'

/**
 * The only error the engine throws: an input that cannot be read, or a wish that cannot be granted. Nothing has changed
 * then. Its message says what was expected and what came.
 *
 * @example
 * try { await context.undo() }
 * catch (error) { if (error instanceof EngineError && error.code === 'nothing-to-undo') return }
 */
export class EngineError extends Error {
  readonly code: EngineErrorCode
  readonly issues: readonly InputIssue[]

  constructor(code: EngineErrorCode, what: string | readonly InputIssue[]) {
    super(typeof what === 'string' ? what : what.map(describeIssue).join('\n'))
    this.name = 'EngineError'
    this.code = code
    this.issues = typeof what === 'string' ? [] : what
  }
}

function describeIssue({ path, expected, got, suggestion }: InputIssue): string {
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  return `${path}: expected ${expected}, got ${got}${hint}`
}
