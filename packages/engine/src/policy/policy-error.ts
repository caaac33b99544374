/** One thing that is wrong with a policy: where, what was expected, what was there, and the nearest known key. */
export interface PolicyIssue {
  readonly path: string
  readonly expected: string
  readonly got: string
  readonly suggestion?: string
}

export type EngineErrorCode = 'invalid-policy'

/** The only error the engine throws. Everything else it is given, it repairs. */
export class EngineError extends Error {
  readonly code: EngineErrorCode
  readonly issues: readonly PolicyIssue[]

  constructor(code: EngineErrorCode, issues: readonly PolicyIssue[]) {
    super(issues.map(describeIssue).join('\n'))
    this.name = 'EngineError'
    this.code = code
    this.issues = issues
  }
}

function describeIssue({ path, expected, got, suggestion }: PolicyIssue): string {
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  return `${path}: expected ${expected}, got ${got}${hint}`
}
