import { Agent, request as open } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { FuzzRequest } from './make-request.ts'

export interface Answered {
  readonly status: number
  /** The beginning of it; a stream is cut after its first piece. */
  readonly text: string
}

export interface Sender {
  /** Rejects where no answer begins, or does not end, in time. */
  send(request: FuzzRequest): Promise<Answered>
  close(): void
}

export function createSender(url: string, deadlineMs: number): Sender {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send: ({ method, path, headers, body = '' }) =>
      new Promise((resolve, reject) => {
        const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const sent = open({ agent, hostname, port, method, path, headers: { ...headers, ...length } })
        const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), deadlineMs)
        const settle = (answered: Answered): void => {
          clearTimeout(timer)
          resolve(answered)
        }
        sent.on('error', (error) => {
          clearTimeout(timer)
          reject(error)
        })
        sent.on('response', (response) => read(response, settle))
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

const MAX_CHARS = 20_000

function read(response: IncomingMessage, settle: (answered: Answered) => void): void {
  const status = response.statusCode ?? 0
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  let text = ''
  response.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < MAX_CHARS) text += piece
    if (isStream) response.destroy()
  })
  response.on('error', () => undefined)
  response.on('close', () => settle({ status, text }))
}
