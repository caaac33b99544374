import { isRecord } from '@longhaul/engine'
import type { Store, StoredEvent } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import type { RequestOutcome } from '../port/agent-event.ts'

export interface PendingRequest {
  readonly sessionId: string
  readonly id: string
  readonly afterEvent: number
  readonly signal: AbortSignal
}

const PAGE_EVENTS = 500

/** The owner may be another process: what it did is read from the events. */
export async function waitForOutcome(
  store: Pick<Store, 'events' | 'watch'>,
  { sessionId, id, afterEvent, signal }: PendingRequest,
): Promise<RequestOutcome> {
  let after = afterEvent
  let ring: () => void = () => undefined
  const unwatch = store.watch((change) => {
    if (change.sessionId === null || change.sessionId === sessionId) ring()
  })
  const leave = (): void => ring()
  signal.addEventListener('abort', leave)
  try {
    for (;;) {
      const rung = new Promise<void>((resolve) => (ring = resolve))
      const events = await store.events.read(sessionId, after, PAGE_EVENTS)
      const outcome = events.flatMap((event) => readOutcome(event, id)).at(0)
      if (outcome !== undefined) return outcome
      after = events.at(-1)?.id ?? after
      if (signal.aborted) throw new AgentError('busy', 'Nobody waits for the outcome any more; it goes on.')
      if (events.length < PAGE_EVENTS) await rung
    }
  } finally {
    signal.removeEventListener('abort', leave)
    unwatch()
  }
}

function readOutcome({ event }: StoredEvent, id: string): readonly RequestOutcome[] {
  const { outcome } = event
  return event['type'] === 'request-settled' && event['id'] === id && isRecord(outcome)
    ? [outcome as unknown as RequestOutcome]
    : []
}
