import type { Context } from 'hono'
import { TICK, nextOrTick } from '@longhaul/runtime'
import type { JsonObject } from '@longhaul/runtime'
import type { ServerContext } from '../server-context.ts'

export interface NumberedEvent {
  readonly id: number
  readonly event: JsonObject
}

/** Proxies close connections that are silent for a minute, some for half of one. */
const HEARTBEAT_MS = 15_000
/** What browsers are told to wait before they come back. */
const COME_BACK_MS = 1_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // For proxies of the nginx kind, and for the adaptor, which else waits for a second piece.
  'x-accel-buffering': 'no',
  'transfer-encoding': 'chunked',
} as const

/**
 * Answers with events as they come. The next one is asked for only when the client has taken the last one, so a slow
 * client costs no memory. Ends with the events, with the server, and when the client goes away.
 */
export function answerWithEvents(
  context: Context,
  server: Pick<ServerContext, 'stopping' | 'log' | 'metrics'>,
  follow: (signal: AbortSignal) => AsyncGenerator<NumberedEvent>,
): Response {
  if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS)
  const leaving = new AbortController()
  const events = follow(leaving.signal)
  const countClosed = server.metrics.openStream()
  const ends = [server.stopping, context.req.raw.signal]

  function end(): void {
    for (const signal of ends) signal.removeEventListener('abort', end)
    leaving.abort()
    countClosed()
    void events.return(undefined).catch(() => undefined)
  }
  for (const signal of ends) signal.addEventListener('abort', end)
  if (ends.some(({ aborted }) => aborted)) end()

  return context.body(createStream(events, end, server.log), 200, HEADERS)
}

function createStream(
  events: AsyncGenerator<NumberedEvent>,
  end: () => void,
  log: ServerContext['log'],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<NumberedEvent>> | null = null
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(`retry: ${COME_BACK_MS}\n\n`)),
      async pull(controller) {
        try {
          next ??= events.next()
          const result = await nextOrTick(next, HEARTBEAT_MS)
          if (result === TICK) return controller.enqueue(encoder.encode(':\n\n'))
          next = null
          if (result.done !== true) return controller.enqueue(encoder.encode(writeEvent(result.value)))
        } catch (error) {
          // The client comes back and goes on after the last event it saw.
          log({ level: 'warn', event: 'stream-broken', message: String(error) })
        }
        end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

function writeEvent({ id, event }: NumberedEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`
}
