import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'

interface UpstreamCall {
  readonly url: URL
  readonly method: string
  readonly headers: OutgoingHttpHeaders
  /** Bytes are sent again where a kept connection turns out to be closed; a stream is piped once. */
  readonly body: Buffer | Readable | null
  /** Ends the call. */
  readonly signal: AbortSignal
}

/** Calls upstreams without a time limit and without touching a byte. Connections are kept. */
export interface UpstreamClient {
  /** Resolves with the head of the answer; its body is read as it comes. */
  readonly call: (call: UpstreamCall) => Promise<IncomingMessage>
  readonly close: () => void
}

const AGENT = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 256 } as const

export function createUpstreamClient(): UpstreamClient {
  const http = new HttpAgent(AGENT)
  const https = new HttpsAgent(AGENT)

  function open({ url, method, headers, signal }: UpstreamCall): ClientRequest {
    return url.protocol === 'https:'
      ? httpsRequest(url, { method, headers, signal, agent: https })
      : httpRequest(url, { method, headers, signal, agent: http })
  }

  function callOnce(call: UpstreamCall): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = open(call)
      sent.setNoDelay(true)
      sent.once('response', resolve)
      sent.once('error', (error) => reject(new UpstreamFailure(error, sent.reusedSocket)))
      const { body } = call
      if (body === null || Buffer.isBuffer(body)) sent.end(body ?? undefined)
      else {
        body.once('error', (error) => sent.destroy(error))
        body.pipe(sent)
      }
    })
  }

  return {
    async call(call) {
      try {
        return await callOnce(call)
      } catch (error) {
        const isStale = error instanceof UpstreamFailure && error.isStale && !call.signal.aborted
        if (!isStale || (call.body !== null && !Buffer.isBuffer(call.body))) throw error
        return callOnce(call)
      }
    },
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** No answer came. */
class UpstreamFailure extends Error {
  /** The connection was one that an earlier call had left open, and it turned out to be closed. */
  readonly isStale: boolean

  constructor(cause: NodeJS.ErrnoException, wasKept: boolean) {
    super(cause.message, { cause })
    this.isStale = wasKept && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
  }
}
