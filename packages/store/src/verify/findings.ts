import type { Problem } from '../port/store.ts'
import { StoreError } from '../store-error.ts'

/** What was found so far: damage, and what looks like it but is as it should be. */
export interface Findings {
  readonly problems: readonly Problem[]
  readonly notices: readonly Problem[]
  addProblem(sessionId: string | null, what: string, advice: string): void
  addNotice(sessionId: string | null, what: string, advice: string): void
}

export function createFindings(): Findings {
  const problems: Problem[] = []
  const notices: Problem[] = []
  return {
    problems,
    notices,
    addProblem: (sessionId, what, advice) => void problems.push({ sessionId, what, advice }),
    addNotice: (sessionId, what, advice) => void notices.push({ sessionId, what, advice }),
  }
}

/** What `read` gives; null if it meets damage, which is added to the problems. One damaged place must not end the tour. */
export async function orProblem<T>(
  findings: Findings,
  { sessionId, what, advice }: Problem,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error
    findings.addProblem(sessionId, `${what}: ${error.message}`, advice)
    return null
  }
}

export const ADVICE = {
  restore: 'Restore a backup; what the session says elsewhere is still there.',
  repair: 'Run `longhaul verify --repair`.',
  none: 'Nothing needs to be done.',
} as const
