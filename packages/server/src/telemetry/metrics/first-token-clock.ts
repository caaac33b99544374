import type { AgentEvent } from '@longhaul/runtime'

/** Measures how long each message waits for the first word of its answer. */
export interface FirstTokenClock {
  /** The milliseconds that were waited, at the first token of a turn; null at every other event. */
  see(event: AgentEvent, atMs: number): number | null
}

/** Turns that another server answers are never heard of again; the oldest are forgotten beyond this many. */
const MAX_WAITING = 10_000

export function createFirstTokenClock(): FirstTokenClock {
  const storedAt = new Map<string, number>()

  function forgetOldest(): void {
    for (const turnId of storedAt.keys()) {
      if (storedAt.size <= MAX_WAITING) return
      storedAt.delete(turnId)
    }
  }

  return {
    see({ type, turnId }, atMs) {
      if (turnId === null) return null
      if (type === 'message-stored') {
        storedAt.set(turnId, atMs)
        forgetOldest()
        return null
      }
      const startedAt = storedAt.get(turnId)
      if (startedAt === undefined || !['text-delta', 'reasoning-delta', 'error', 'done'].includes(type)) return null
      storedAt.delete(turnId)
      return type === 'text-delta' || type === 'reasoning-delta' ? atMs - startedAt : null
    },
  }
}
