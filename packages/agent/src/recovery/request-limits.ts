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

/** Room that is left between a request and the end of the window, because sizes are estimates. */
const MARGIN_SHARE = 0.01
const MIN_OUTPUT_TOKENS = 256

/** How much the model may answer. `inputTokens`: the size of the request, where it may leave less room than usual. */
export function findOutputTokens(
  session: ActiveSession,
  { maxOutputTokens }: RequestLimits,
  inputTokens: number | null,
): number {
  const { maxOutput } = session.agent.models.describe(session.model())
  const limits = session.limits()
  const wanted = maxOutputTokens ?? limits?.outputTokens ?? maxOutput ?? DEFAULT_OUTPUT_TOKENS
  if (limits === null || inputTokens === null || inputTokens <= limits.inputTokens) return wanted
  const room = Math.floor(limits.windowTokens * (1 - MARGIN_SHARE)) - inputTokens
  return Math.max(MIN_OUTPUT_TOKENS, Math.min(wanted, room))
}
