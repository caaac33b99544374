import { followSession } from '@longhaul/runtime'
import type { AgentEvent, FollowedSystem } from '@longhaul/runtime'

export interface TurnToFollow {
  readonly sessionId: string
  readonly turnId: string
  readonly afterEvent: number
  readonly signal: AbortSignal
}

/**
 * The events of one turn up to its `done`, and those that are about the session as a whole. Ends as well where the store
 * takes nothing: the turn is answered later, and nobody knows when.
 */
export async function* followTurn(
  system: FollowedSystem,
  { sessionId, turnId, afterEvent, signal }: TurnToFollow,
): AsyncGenerator<AgentEvent> {
  for await (const { event, isUnstored } of followSession(system, sessionId, { after: afterEvent, signal })) {
    const one = event as unknown as AgentEvent
    if (one.turnId !== turnId && one.turnId !== null) continue
    yield one
    if (one.type === 'done' || isUnstored === true) return
  }
}
