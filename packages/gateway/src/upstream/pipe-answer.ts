import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { answerHeaders } from './forward-headers.ts'

export interface PipeOptions {
  /** Added to the upstream's own. */
  readonly headers?: OutgoingHttpHeaders
  /** Bytes of the answer's body that were read already. */
  readonly head?: Buffer
  /** Sees every chunk on its way. */
  readonly watch?: (chunk: Buffer) => void
}

/** Passes an answer to the client chunk by chunk. Resolves true when all of it was passed on. */
export function pipeAnswer(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  options: PipeOptions = {},
): Promise<boolean> {
  const { headers = {}, head, watch } = options
  return new Promise((resolve) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', { ...answerHeaders(answer), ...headers })
    // Clients wait for the head of a stream before its first event.
    outgoing.flushHeaders()
    if (head !== undefined) outgoing.write(head)
    if (watch !== undefined) answer.on('data', watch)
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) answer.destroy()
      resolve(outgoing.writableFinished && answer.complete)
    })
    // An answer that broke off must not look like one that ended.
    answer.once('error', () => outgoing.destroy())
    answer.once('aborted', () => outgoing.destroy())
    answer.pipe(outgoing)
  })
}

const MAX_FAULT_BYTES = 256 * 1024

/** Reads the body of a refusal; what is longer than any refusal is cut off and left in the answer. */
export async function readFault(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const finish = (): void => {
      answer.off('data', onData).off('end', finish).off('close', finish).off('error', finish)
      resolve(Buffer.concat(chunks))
    }
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (size < MAX_FAULT_BYTES) return
      answer.pause()
      finish()
    }
    answer.on('data', onData).on('end', finish).on('close', finish).on('error', finish)
  })
}
