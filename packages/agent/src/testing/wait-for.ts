import type { Store } from '@longhaul/store/port'
import type { AgentEvent } from '../port/agent-event.ts'

/** Looks again whenever the store tells of a change. Vitest's time-out ends what never comes. */
export async function waitUntil(store: Pick<Store, 'watch'>, isSo: () => boolean | Promise<boolean>): Promise<void> {
  let ring: () => void = () => undefined
  const unwatch = store.watch(() => ring())
  try {
    for (;;) {
      const rung = new Promise<void>((resolve) => (ring = resolve))
      if (await isSo()) return
      await rung
    }
  } finally {
    unwatch()
  }
}

/** Sessions are named beside the conversation. */
export async function waitForTitle(store: Store, sessionId: string): Promise<string> {
  let title: string | null = null
  await waitUntil(store, async () => {
    title = (await store.sessions.get(sessionId))?.title ?? null
    return title !== null
  })
  return title ?? ''
}

/** The first event of a kind after the given one. */
export async function waitForEvent<T extends AgentEvent['type']>(
  store: Store,
  sessionId: string,
  type: T,
  after = 0,
): Promise<Extract<AgentEvent, { type: T }>> {
  let found: Extract<AgentEvent, { type: T }> | undefined
  await waitUntil(store, async () => {
    const stored = await store.events.read(sessionId, after, 1_000)
    const events = stored.map(({ event }) => event as unknown as AgentEvent)
    found = events.find((event): event is Extract<AgentEvent, { type: T }> => event.type === type)
    return found !== undefined
  })
  return found as Extract<AgentEvent, { type: T }>
}
