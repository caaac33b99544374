import type { Registry } from '@longhaul/models/prices'
import type { AgentSession } from '../find/agent-session.ts'
import type { SessionAudit } from '../report/audit-report.ts'

export interface FoundWindow extends Pick<SessionAudit, 'windowTokens' | 'windowSource'> {
  /** The window for the replay; where nobody knows it, the largest context that the session shows. */
  readonly replayTokens: number
}

interface WindowClues {
  readonly session: AgentSession
  readonly told: number | undefined
  readonly model: string | null
  readonly registry: Registry
  readonly tokensBefore: readonly (number | null)[]
}

/** Agents compact when most of the window is full. */
const MIN_FILLED = 0.5
/** Agents do not run in less. */
const MIN_TOKENS = 32_000

/**
 * The user's word, then the session's, then the table's. Agents often use less of a window than the model has: where
 * automatic compactions came before half of the table's window was full, the table does not tell what the agent had.
 */
export function findWindow({ session, told, model, registry, tokensBefore }: WindowClues): FoundWindow {
  const largest = Math.max(0, ...tokensBefore.map((tokens) => tokens ?? 0))
  if (told !== undefined) return { windowTokens: told, windowSource: 'told', replayTokens: told }
  const { windowTokens: noted, recorded } = session
  if (noted !== null) return { windowTokens: noted, windowSource: 'recorded', replayTokens: noted }
  const info = model === null ? null : registry.describe(model)
  const listed = info?.maxInput ?? info?.contextWindow ?? null
  const isByHand = [...recorded.values()].some(({ trigger }) => trigger === 'manual')
  if (listed !== null && (largest === 0 || isByHand || largest >= listed * MIN_FILLED)) {
    return { windowTokens: listed, windowSource: 'registry', replayTokens: listed }
  }
  const unknown = { windowTokens: null, windowSource: null }
  return { ...unknown, replayTokens: Math.max(MIN_TOKENS, largest) }
}
