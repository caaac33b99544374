import type { IncomingMessage } from 'node:http'
import { isRecord } from '@longhaul/engine/advanced'

/** The start of a stream, as far as it was looked at. */
export interface StreamStart {
  readonly head: Buffer
  /** The error that the stream consists of; null: none so far. */
  readonly error: unknown
}

/** A failure comes within moments of the first event; an answer may take long, and is not held back for it. */
const MAX_WAIT_MS = 250
const MAX_BYTES = 64 * 1024
/** Events that come before anything was said. */
const PREAMBLE = ['response.created', 'response.in_progress', 'response.queued']

/**
 * Some upstreams say 200 and refuse a request in the first events of the stream. Looks at those, for a moment, before they
 * are passed on: once a client has them, the request cannot be sent again.
 */
export async function peekFailure(answer: IncomingMessage): Promise<StreamStart> {
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    const finish = (error: unknown): void => {
      clearTimeout(timer)
      answer.pause()
      answer.off('data', onData).off('end', onEnd).off('close', onEnd)
      resolve({ head: Buffer.concat(chunks), error })
    }
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      const read = readStart(Buffer.concat(chunks).toString('utf8'))
      if (read !== 'preamble' || chunks.reduce((sum, { length }) => sum + length, 0) > MAX_BYTES)
        finish(isRecord(read) ? read.error : null)
    }
    const onEnd = (): void => finish(null)
    const timer = setTimeout(onEnd, MAX_WAIT_MS)
    answer.on('data', onData).on('end', onEnd).on('close', onEnd)
  })
}

type ReadStart = 'preamble' | 'answer' | { readonly error: unknown }

function readStart(text: string): ReadStart {
  for (const frame of text.split(/\r?\n\r?\n/).slice(0, -1)) {
    const data = frame.split('\n').find((line) => line.startsWith('data:'))
    const event = data === undefined ? null : parse(data.slice('data:'.length))
    const type = event?.['type']
    if (event !== null && (type === 'response.failed' || type === 'error')) {
      const { response } = event
      return { error: isRecord(response) ? response['error'] : event }
    }
    if (typeof type === 'string' && !PREAMBLE.includes(type)) return 'answer'
  }
  return 'preamble'
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
