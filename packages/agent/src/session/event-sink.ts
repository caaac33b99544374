import type { Events, Lease } from '@longhaul/store/port'
import { isLeaseLost } from '../agent-error.ts'
import type { AgentEvent, AgentEventBody } from '../port/agent-event.ts'
import type { LogLine } from '../port/agent-options.ts'

/** Where events go: in order, deltas in batches. Never throws and never holds anything up. */
export interface EventSink {
  emit(turnId: string | null, body: AgentEventBody): void
  /** Resolves once everything emitted so far is stored, or given up. */
  drain(): Promise<void>
  /** Resolves if another owner has the session: what a late one has to say is not stored. */
  readonly leaseLost: Promise<void>
}

export interface EventSinkOptions {
  readonly events: Events
  readonly sessionId: string
  /** null: for a session that is only looked at, of which there is nothing to say. */
  readonly lease: Lease | null
  readonly now: () => number
  readonly log: (line: LogLine) => void
}

/** Long enough to save writes, short enough to look like typing. */
const BATCH_MS = 100
/** Batches of all sessions end on multiples of this: those of one moment share a transaction and the pages it writes. */
const TOGETHER_MS = 20
/** Events that could not be stored are tried again this often, and with the next ones. */
const AGAIN_MS = 1_000
/** More than these are not kept for later: the oldest go first. */
const MAX_KEPT = 1_000

export function createEventSink({ events, sessionId, lease, now, log }: EventSinkOptions): EventSink {
  let waiting: AgentEvent[] = []
  let timer: NodeJS.Timeout | null = null
  let again: NodeJS.Timeout | null = null
  /** Somebody waits for the first words, so they go out at once; those that follow can wait for each other. */
  let isFirst = true
  let written: Promise<void> = Promise.resolve()
  let isLost = false
  /** Events that the store did not take. */
  let kept: readonly AgentEvent[] = []
  /** The log knows that the store takes no events at the moment. */
  let isLate = false
  const lost = Promise.withResolvers<void>()

  function write(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (waiting.length === 0) return
    const batch = joinDeltas(waiting)
    waiting = []
    written = add(written, batch)
  }

  async function add(before: Promise<void>, batch: readonly AgentEvent[]): Promise<void> {
    await before
    if (isLost) return
    const all = [...kept, ...batch]
    kept = []
    if (all.length === 0) return
    try {
      await events.add(sessionId, now(), all, lease ?? undefined)
      isLate = false
    } catch (error) {
      if (isLeaseLost(error)) {
        isLost = true
        lost.resolve()
        return
      }
      // The whole text comes with the answer: its pieces are not worth room that may be missing.
      kept = all.filter((event) => !isDelta(event)).slice(-MAX_KEPT)
      again ??= setTimeout(tryAgain, AGAIN_MS).unref()
      // Events are for watching; what matters is in the transcript.
      if (!isLate)
        log({ level: 'warn', event: 'events-late', message: `Events are not stored yet: ${String(error)}`, sessionId })
      isLate = true
    }
  }

  function tryAgain(): void {
    again = null
    written = add(written, [])
  }

  return {
    emit(turnId, body) {
      waiting.push({ turnId, ...body })
      if (!isDelta(body)) write()
      else if (isFirst) queueMicrotask(write)
      else timer ??= setTimeout(write, BATCH_MS + TOGETHER_MS - (performance.now() % TOGETHER_MS))
      isFirst = !isDelta(body)
    },
    async drain() {
      write()
      await written
      if (again !== null) clearTimeout(again)
      again = null
      if (kept.length > 0 && !isLost)
        log({ level: 'warn', event: 'events-lost', message: `${kept.length} events were never stored.`, sessionId })
      kept = []
    },
    leaseLost: lost.promise,
  }
}

function isDelta({ type }: AgentEventBody): boolean {
  return type === 'text-delta' || type === 'reasoning-delta'
}

function joinDeltas(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const joined: AgentEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    const isMore = last !== undefined && isDelta(event) && last.type === event.type && last.turnId === event.turnId
    if (isMore && 'text' in last && 'text' in event)
      joined[joined.length - 1] = { ...last, text: last.text + event.text }
    else joined.push(event)
  }
  return joined
}
