import type { Store } from '@longhaul/runtime'
import type { TurnToFollow } from './follow-turn.ts'

const PAGE_EVENTS = 500

/**
 * The events of a turn that a `retry` after them has taken back, by id: whoever is told of the turn again need not hear
 * them. What is told as it happens cannot be known beforehand.
 */
export async function findTakenBack(
  { events }: Pick<Store, 'events'>,
  { sessionId, id, after }: TurnToFollow,
): Promise<ReadonlySet<number>> {
  const takenBack = new Set<number>()
  let step: number[] = []
  for (let last = after; ;) {
    const page = await events.read(sessionId, last, PAGE_EVENTS)
    for (const { id: eventId, event } of page) {
      if (event['turnId'] !== id) continue
      if (event['type'] === 'tool-result') step = []
      if (STEP_EVENTS.has(event['type'])) step.push(eventId)
      if (event['type'] !== 'retry') continue
      for (const told of [...step, eventId]) takenBack.add(told)
      step = []
    }
    const newest = page.at(-1)
    if (newest === undefined || page.length < PAGE_EVENTS) return takenBack
    last = newest.id
  }
}

/** What a model says in one step. */
const STEP_EVENTS: ReadonlySet<unknown> = new Set(['text-delta', 'reasoning-delta', 'tool-call'])
