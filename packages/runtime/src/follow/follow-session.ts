import { readOwed, toAgentError } from '@longhaul/agent'
import type { Agent, AgentError, AgentEvent } from '@longhaul/agent'
import { followEvents } from '@longhaul/store'
import type { FollowOptions, Store } from '@longhaul/store'
import type { StoredEvent } from '@longhaul/store/port'
import { TICK, nextOrTick } from './next-or-tick.ts'

export interface FollowedEvent extends StoredEvent {
  /** True: it says that the store takes nothing at the moment, and so is not stored itself. Its id is the last one's. */
  readonly isUnstored?: boolean
}

/** A runtime, as far as following needs it. */
export interface FollowedSystem {
  readonly store: Store
  readonly agent: Pick<Agent, 'checkStore'>
}

/** So long nothing comes before somebody looks why; then ever longer, up to the second of these, until something comes. */
const QUIET_MS = 2_000
const MAX_QUIET_MS = 10_000

/**
 * The events of a session in order, each once. Where something waits for its answer and the store takes nothing, no owner
 * can tell so by a stored event: then this says it, once an outage. The rest follows when the store takes writes again.
 */
export async function* followSession(
  { store, agent }: FollowedSystem,
  sessionId: string,
  options: FollowOptions,
): AsyncGenerator<FollowedEvent> {
  const events = followEvents(store, sessionId, options)
  let last = options.after ?? 0
  let isTold = false
  let isOpen = false
  let quietMs = QUIET_MS
  let next: Promise<IteratorResult<StoredEvent>> | null = null
  try {
    for (;;) {
      next ??= events.next()
      const result = await nextOrTick(next, quietMs)
      if (result === TICK) {
        quietMs = Math.min(2 * quietMs, MAX_QUIET_MS)
        const problem = isOpen || (await isWaitedFor(store, sessionId)) ? await agent.checkStore() : null
        if (problem !== null && !isTold && !options.signal.aborted) yield describeProblem(problem, last)
        isTold = problem !== null
        continue
      }
      next = null
      if (result.done === true) return
      isTold = false
      quietMs = QUIET_MS
      last = result.value.id
      const { turnId, type } = result.value.event
      // A turn whose end was not told: its last events may have found no room.
      if (turnId !== null) isOpen = type !== 'done'
      yield result.value
    }
  } finally {
    // A read under way ends by itself; nobody waits for it.
    void events.return(undefined).catch(() => undefined)
  }
}

/** A store that cannot even be read is asked by the check, which says why. */
async function isWaitedFor(store: Store, sessionId: string): Promise<boolean> {
  try {
    return (await store.inbox.list(sessionId)).length > 0 || (await readOwed(store, sessionId)) !== null
  } catch (error) {
    return toAgentError(error).code === 'store-unavailable'
  }
}

function describeProblem({ code, message }: AgentError, last: number): FollowedEvent {
  const event: AgentEvent = { turnId: null, type: 'error', code, message }
  return { id: last, at: Date.now(), event: { ...event }, isUnstored: true }
}
