import type { CompactionPlan } from '@longhaul/engine'
import { isLeaseLost } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'

/** What came of a compaction, as clients are told. */
export interface CompactionResult {
  readonly didCompact: boolean
  /** The policy's way without a model, where it was used. */
  readonly fallback: string | null
  readonly tokensAfter: number
  readonly score: number | null
}

/** Nothing was changed. */
export function failedResult({ tokensBefore }: Pick<CompactionPlan, 'tokensBefore'>): CompactionResult {
  return { didCompact: false, fallback: null, tokensAfter: tokensBefore, score: null }
}

interface Told {
  readonly plan: CompactionPlan
  readonly turnId: string | null
}

/**
 * Says that a summary is asked for, and once what came of it: every start has its end, whatever happens in between. Only
 * an owner that has lost the session says nothing more; the next one settles what it finds open.
 */
export async function tellCompaction(
  session: ActiveSession,
  { plan, turnId }: Told,
  run: () => Promise<CompactionResult>,
): Promise<CompactionResult> {
  const { reason, tokensBefore } = plan
  const { events } = session
  const threshold = session.limits()?.triggerTokens ?? null
  events.emit(turnId, { type: 'compact-started', reason, tokens: tokensBefore, threshold })
  try {
    const result = await run()
    events.emit(turnId, { type: 'compact-completed', tokensBefore, ...result })
    return result
  } catch (error) {
    if (!isLeaseLost(error)) events.emit(turnId, { type: 'compact-completed', tokensBefore, ...failedResult(plan) })
    throw error
  }
}

/** Of one that nobody waited for: prepared before, or made without a model. */
export function tellResult({ events }: ActiveSession, { plan, turnId }: Told, result: CompactionResult): void {
  events.emit(turnId, { type: 'compact-completed', tokensBefore: plan.tokensBefore, ...result })
}
