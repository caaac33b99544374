import type { ActiveSession } from '../session/active-session.ts'
import type { RefusedLimits } from '../session/refusals.ts'

/** How one request differs from the usual one, because of what earlier refusals taught. */
export interface RequestLimits extends RefusedLimits {
  /** The most it may hold; null: the usual limit. */
  readonly maxTokens: number | null
  readonly toolChoice: 'auto' | 'none'
}

/** Used where nobody knows how much a model can answer. */
const DEFAULT_OUTPUT_TOKENS = 4_096

/** How much the model may answer. */
export function findOutputTokens(session: ActiveSession, { maxOutputTokens }: RequestLimits): number {
  const { maxOutput } = session.agent.models.describe(session.model())
  return maxOutputTokens ?? session.limits()?.outputTokens ?? maxOutput ?? DEFAULT_OUTPUT_TOKENS
}
