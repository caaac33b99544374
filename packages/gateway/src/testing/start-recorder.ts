import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordedCall {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** An upstream that keeps the very bytes it is sent, and answers as it is told. */
export interface Recorder {
  readonly baseURL: string
  readonly calls: readonly RecordedCall[]
  readonly close: () => Promise<void>
}

export async function startRecorder(answer: (call: RecordedCall, outgoing: ServerResponse) => void): Promise<Recorder> {
  const calls: RecordedCall[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const call = { method, url, headers, body: Buffer.concat(chunks) }
      calls.push(call)
      answer(call, outgoing)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
