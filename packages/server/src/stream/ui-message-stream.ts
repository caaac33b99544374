import { createUIMessageStreamResponse } from 'ai'
import type { UIMessageChunk } from 'ai'
import type { AgentEvent } from '@longhaul/runtime'
import type { ServerContext } from '../server-context.ts'
import { findTakenBack } from './find-taken-back.ts'
import { followTurn } from './follow-turn.ts'
import type { TurnToFollow } from './follow-turn.ts'
import { createUiChunks } from './ui-chunks.ts'

/** Proxies close connections that are silent for a minute, some for half of one. */
const KEEP_ALIVE_MS = 15_000

const STOPPING = 'The server stops; the answer goes on when it is back. Send the message again: it finds its answer.'

/** A turn in the words of the AI SDK. The turn goes on when the client goes away, and can be followed again. */
export function answerWithUiMessages(server: ServerContext, turn: TurnToFollow): Response {
  const leaving = new AbortController()
  const signal = AbortSignal.any([leaving.signal, server.stopping])
  const chunks = readChunks(server, turn, signal)
  const closed = server.metrics.openStream()
  const stream = new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next()
          if (done !== true) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          server.log({ level: 'warn', event: 'stream-broken', message: String(error) })
          controller.error(error)
        }
        closed()
      },
      cancel() {
        closed()
        leaving.abort()
      },
    },
    { highWaterMark: 0 },
  )
  return createUIMessageStreamResponse({
    stream,
    keepAliveMs: KEEP_ALIVE_MS,
    // The last for the adaptor, which else waits for a second piece.
    headers: { 'x-accel-buffering': 'no', 'transfer-encoding': 'chunked' },
  })
}

async function* readChunks(
  server: ServerContext,
  turn: TurnToFollow,
  signal: AbortSignal,
): AsyncGenerator<UIMessageChunk> {
  const chunks = createUiChunks(turn.id)
  yield* chunks.start()
  const takenBack = await findTakenBack(server.runtime.store, turn)
  for await (const { id, event } of followTurn(server, turn, signal)) {
    if (takenBack.has(id)) continue
    for (const chunk of chunks.next(event as unknown as AgentEvent)) {
      yield chunk
      // The client's reader stops there.
      if (chunk.type === 'error') return
    }
  }
  if (server.stopping.aborted) yield { type: 'error', errorText: STOPPING }
  else if (!signal.aborted) yield* chunks.end()
}
