import type { StoredEvent } from '../port/events.ts'
import type { Store } from '../port/store.ts'

export interface FollowOptions {
  /** The last event that was seen; without it, from the first that is still there. */
  readonly after?: number
  /** Ends it. */
  readonly signal: AbortSignal
}

/** What a slow reader is given at once; the rest waits in the store. */
const PAGE_EVENTS = 200

/** The events of a session in order, each once: first those that are there, then each soon after any process adds it. */
export async function* followEvents(
  store: Store,
  sessionId: string,
  options: FollowOptions,
): AsyncGenerator<StoredEvent> {
  const { after = 0, signal } = options
  const bell = createBell()
  const stopWatching = store.watch(({ what }) => {
    if (what === 'events' || what === 'any') bell.ring()
  }, sessionId)
  signal.addEventListener('abort', bell.ring)
  try {
    // A client may have sent anything.
    let last = Number.isSafeInteger(after) ? after : 0
    while (!signal.aborted) {
      bell.reset()
      const page = await readAfter(store, sessionId, last)
      for (const event of page.events) {
        // A reader may take its time over each of them.
        if (signal.aborted) return
        yield event
      }
      last = page.last
      if (!page.mayHaveMore) await bell.waitForRing()
    }
  } finally {
    signal.removeEventListener('abort', bell.ring)
    stopWatching()
  }
}

interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Where to go on. */
  readonly last: number
  readonly mayHaveMore: boolean
}

/** What follows. Each event wakes whoever follows its session, so this is one look where there is something to see. */
async function readAfter({ events }: Store, sessionId: string, last: number): Promise<EventPage> {
  const page = await events.read(sessionId, last, PAGE_EVENTS)
  const lastRead = page.at(-1)
  if (lastRead !== undefined) return { events: page, last: lastRead.id, mayHaveMore: page.length === PAGE_EVENTS }
  const newest = await events.getLastId(sessionId)
  if (newest === last) return { events: [], last, mayHaveMore: false }
  // Events are not synced: after a crash of the database their numbers may begin again, below the last one seen.
  if (newest < last) return { events: [], last: 0, mayHaveMore: true }
  // One came just now; or those up to the newest have been deleted already.
  const late = await events.read(sessionId, last, PAGE_EVENTS)
  return { events: late, last: late.at(-1)?.id ?? newest, mayHaveMore: true }
}

interface Bell {
  readonly ring: () => void
  /** Forgets rings so far. Whoever looks after this misses nothing that rings later. */
  reset(): void
  /** At once if it has rung since the reset. */
  waitForRing(): Promise<void>
}

function createBell(): Bell {
  let rung = Promise.withResolvers<void>()
  return {
    ring: () => rung.resolve(),
    reset: () => {
      rung = Promise.withResolvers<void>()
    },
    waitForRing: () => rung.promise,
  }
}
