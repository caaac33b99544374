import type { Entry, Store } from '@longhaul/runtime'

/** Clocks of two servers may differ by this much. */
const CLOCK_MARGIN_MS = 60_000
const PAGE_EVENTS = 500

/** The event after which those of a message's turn begin, from when it came into the transcript. */
export async function findTurnStart(
  { events }: Pick<Store, 'events'>,
  sessionId: string,
  { id, at }: Pick<Entry, 'id' | 'at'>,
): Promise<number> {
  const before = await findLastBefore(events, sessionId, at - CLOCK_MARGIN_MS)
  const page = await events.read(sessionId, before, PAGE_EVENTS)
  const first = page.find(({ event }) => event['turnId'] === id)
  return first === undefined ? before : first.id - 1
}

/** Ids have no gaps, and times grow with them. */
async function findLastBefore(events: Store['events'], sessionId: string, at: number): Promise<number> {
  let low = 0
  let high = await events.getLastId(sessionId)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [event] = await events.read(sessionId, middle, 1)
    if (event === undefined || event.at >= at) high = middle
    else low = event.id
  }
  return low
}
