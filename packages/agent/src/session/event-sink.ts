import type { Events } from '@longhaul/store/port'
import type { AgentEvent, AgentEventBody } from '../port/agent-event.ts'
import type { LogLine } from '../port/agent-options.ts'

/** Where events go: in order, deltas in batches. Never throws and never holds anything up. */
export interface EventSink {
  emit(turnId: string | null, body: AgentEventBody): void
  /** Resolves once everything emitted so far is stored, or given up. */
  drain(): Promise<void>
}

export interface EventSinkOptions {
  readonly events: Events
  readonly sessionId: string
  readonly now: () => number
  readonly log: (line: LogLine) => void
}

/** Long enough to save writes, short enough to look like typing. */
const BATCH_MS = 100

export function createEventSink({ events, sessionId, now, log }: EventSinkOptions): EventSink {
  let waiting: AgentEvent[] = []
  let timer: NodeJS.Timeout | null = null
  /** Somebody waits for the first words, so they go out at once; those that follow can wait for each other. */
  let isFirst = true
  let written: Promise<void> = Promise.resolve()

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
    try {
      await events.add(sessionId, now(), batch)
    } catch (error) {
      // Events are for watching; what matters is in the transcript.
      log({ level: 'warn', event: 'events-lost', message: `Events were not stored: ${String(error)}`, sessionId })
    }
  }

  return {
    emit(turnId, body) {
      waiting.push({ turnId, ...body })
      if (!isDelta(body)) write()
      else if (isFirst) queueMicrotask(write)
      else timer ??= setTimeout(write, BATCH_MS)
      isFirst = !isDelta(body)
    },
    async drain() {
      write()
      await written
    },
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
