import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { SessionEvent } from '../event.ts'
import { ApiError } from './api-error.ts'

export interface NumberedEvent {
  /** Where to resume: pass the last one that was seen. */
  readonly id: string
  readonly event: SessionEvent
}

/** Sends a request; rejects with an `ApiError` unless it was answered well. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** The events of one answer, as they come. Ends when the server closes it or the connection is lost. */
export async function* readEvents(response: Response): AsyncGenerator<NumberedEvent> {
  if (response.body === null) return
  const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const reader = messages.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield { id: value.id ?? '', event: JSON.parse(value.data) as SessionEvent }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

export interface FollowOptions {
  /** The last event that was seen. */
  readonly after?: string
  /** A message: without `after`, begins with the events of its turn. Without either, from now on. */
  readonly since?: string
  readonly signal: AbortSignal
  /** Told on every change: whether events arrive at the moment. */
  readonly onConnection?: (isConnected: boolean) => void
  /**
   * Told before the events of each connection: they come after this one. It lies below one that was seen when the
   * server lost events in a crash and numbers new ones from there; told then too, if the connection outlived that.
   */
  readonly onStart?: (after: string) => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

/**
 * Every event of a session, over any number of lost connections and restarts, each once and in order. Only where
 * `onStart` says so, numbers go back.
 */
export async function* followEvents(
  send: Send,
  sessionId: string,
  { after, since, signal, onConnection, onStart }: FollowOptions,
): AsyncGenerator<NumberedEvent> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/events`
  const start = since === undefined ? path : `${path}?since=${encodeURIComponent(since)}`
  let last = after
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (last !== undefined) headers['last-event-id'] = last
      const response = await send(last === undefined ? start : path, { headers, signal })
      // So that a connection lost before its first event leaves no gap.
      last = response.headers.get('last-event-id') ?? last
      if (last !== undefined) onStart?.(last)
      onConnection?.(true)
      waitMs = FIRST_WAIT_MS
      for await (const numbered of readEvents(response)) {
        if (Number(numbered.id) <= Number(last)) onStart?.(String(Number(numbered.id) - 1))
        last = numbered.id
        yield numbered
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && !error.retryable) throw error
    }
    onConnection?.(false)
    await wait(waitMs, signal)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finish, milliseconds)
    function finish(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish)
  })
}
