import { setTimeout as pause } from 'node:timers/promises'
import { isRecord } from '@longhaul/engine/advanced'
import type { Store, StoredEvent } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import type { RequestOutcome } from '../port/agent-event.ts'
import type { StoreCheck } from './store-check.ts'
import { describeStored } from './stored-outcome.ts'

export interface PendingRequest {
  readonly sessionId: string
  readonly id: string
  readonly afterEvent: number
  /** It was settled when it was asked again: its event stands somewhere among those of before, or is gone. */
  readonly isRepeated?: boolean
  readonly signal: AbortSignal
  /** Asked while nothing comes: a store that takes nothing gives no outcome either. */
  readonly checkStore?: StoreCheck
  /** How long one that is settled may stay untold before it is taken for lost. */
  readonly lostAfterMs?: number
}

const PAGE_EVENTS = 500

/** The owner may be another process: what it did is read from the events, else from what it left in the transcript. */
export async function waitForOutcome(
  store: Pick<Store, 'entries' | 'events' | 'inbox' | 'sessions' | 'watch'>,
  { sessionId, id, afterEvent, isRepeated = false, signal, checkStore, lostAfterMs = LOST_AFTER_MS }: PendingRequest,
): Promise<RequestOutcome> {
  let after = isRepeated ? 0 : afterEvent
  let settledAt: number | null = null
  let ring: () => void = () => undefined
  const unwatch = store.watch(() => ring(), sessionId)
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
      if (events.length === PAGE_EVENTS) continue
      const session = await store.sessions.get(sessionId)
      if (session === null || session.deletedAt !== null)
        throw new AgentError('not-found', `Session ${sessionId} was deleted before it came to this.`)
      const isSettled = (await store.inbox.list(sessionId)).every((item) => item.id !== id)
      const now = performance.now()
      settledAt = isSettled ? (settledAt ?? now) : null
      const isLost = settledAt !== null && now - settledAt >= lostAfterMs
      const entry = isLost || (isRepeated && isSettled) ? await store.entries.find(sessionId, id) : null
      if (entry !== null) return describeStored(entry)
      if (isLost) return OUTCOME_LOST
      const hasRung = await Promise.race([
        rung.then(() => true),
        pause(LOOK_MS, undefined, { ref: false }).then(() => false),
      ])
      const problem = hasRung || checkStore === undefined ? null : await checkStore()
      if (problem !== null) throw problem
    }
  } finally {
    signal.removeEventListener('abort', leave)
    unwatch()
  }
}

/** Events are not synced to disk, and not kept for long: one that is gone must not keep its asker waiting for ever. */
const LOOK_MS = 1_000
/** Owners settle first and tell after: other changes ring in between, and reading the surroundings anew takes a while. */
const LOST_AFTER_MS = 5_000
const OUTCOME_LOST: RequestOutcome = {
  ok: false,
  code: 'internal',
  message: 'It was dealt with, but what came of it is no longer known. Look at the session before you ask again.',
}

function readOutcome({ event }: StoredEvent, id: string): readonly RequestOutcome[] {
  const { outcome } = event
  return event['type'] === 'request-settled' && event['id'] === id && isRecord(outcome)
    ? [outcome as unknown as RequestOutcome]
    : []
}
