import { followEvents } from '@longhaul/runtime'
import type { AgentEvent, Store } from '@longhaul/runtime'

export interface TurnToFollow {
  readonly sessionId: string
  readonly turnId: string
  readonly afterEvent: number
  readonly signal: AbortSignal
}

/** The events of one turn up to its `done`, and those that are about the session as a whole. */
export async function* followTurn(
  store: Store,
  { sessionId, turnId, afterEvent, signal }: TurnToFollow,
): AsyncGenerator<AgentEvent> {
  for await (const { event } of followEvents(store, sessionId, { after: afterEvent, signal })) {
    const one = event as unknown as AgentEvent
    if (one.turnId !== turnId && one.turnId !== null) continue
    yield one
    if (one.type === 'done') return
  }
}
