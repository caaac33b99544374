import { connect } from 'node:net'

export interface RawRequest {
  readonly method: string
  /** Written as it is. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent in chunks, without saying how long it is. */
  readonly isChunked?: boolean
}

/** Sends bytes that no well-behaved client would, and resolves with the status; null: the connection was just closed. */
export async function sendRaw(port: number, request: RawRequest): Promise<number | null> {
  const socket = connect(port, '127.0.0.1')
  const answered = new Promise<number | null>((resolve) => {
    let answer = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? []
      if (status !== undefined) resolve(Number(status))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(null))
  })
  socket.write(writeRequest(request))
  const status = await answered
  socket.destroy()
  return status
}

function writeRequest({ method, path, headers, body = '', isChunked = false }: RawRequest): Uint8Array {
  const bytes = Buffer.from(body)
  const length: Readonly<Record<string, string>> = isChunked
    ? { 'transfer-encoding': 'chunked' }
    : bytes.length === 0
      ? {}
      : { 'content-length': String(bytes.length) }
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...length, ...headers })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
  const content = isChunked
    ? [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]
    : [bytes]
  return Buffer.concat([Buffer.from(head), ...content])
}
