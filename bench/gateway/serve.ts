// One process of the bench: `node serve.ts upstream`, `node serve.ts proxy UPSTREAM` or `node serve.ts gateway UPSTREAM FOLDER`.
// It tells its address, then its memory.
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGateway } from '@longhaul/gateway'
import { createSqliteStore } from '@longhaul/store'
import { STREAM_EVENTS, STREAM_EVENT_MS, eventAt } from './stream-events.ts'
import type { ProcessMessage } from './start-process.ts'

const REPORT_MS = 250
/** No request of the bench comes near it, so none is edited. */
const WINDOW_TOKENS = 20_000_000

const [role = '', upstream = '', folder = ''] = process.argv.slice(2)
const server = createServer(await createListener())
server.listen(0, '127.0.0.1', () => {
  tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  setInterval(() => tell({ memoryBytes: process.memoryUsage().rss }), REPORT_MS)
})
process.once('disconnect', () => process.exit(0))

async function createListener(): Promise<RequestListener> {
  if (role === 'upstream') return answer
  if (role === 'proxy') return createPassThrough(new URL(upstream))
  const gateway = createGateway({
    store: await createSqliteStore({ file: join(folder, 'sessions.db') }),
    secret: 'bench',
    upstreams: { anthropic: { type: 'anthropic', baseURL: upstream } },
    windowOf: () => WINDOW_TOKENS,
  })
  return (incoming, outgoing) =>
    void gateway.handle(incoming, outgoing, { path: `/gateway/anthropic${incoming.url ?? ''}` })
}

/** The least that a proxy can do: both directions are piped. */
function createPassThrough({ hostname, port }: URL): RequestListener {
  const agent = new Agent({ keepAlive: true })
  return (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const sent = request({ hostname, port, method, path, headers, agent }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      outgoing.flushHeaders()
      reply.pipe(outgoing)
    })
    sent.setNoDelay(true)
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  }
}

/** Answers as soon as it has all of the request: with one event, or with a long stream where the path says so. */
function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume()
  incoming.once('end', () => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.write(eventAt(0))
    if (incoming.url?.includes('long') === true) streamOn(outgoing)
    else outgoing.end()
  })
}

function streamOn(outgoing: ServerResponse): void {
  let index = 0
  const timer = setInterval(() => {
    index += 1
    if (index < STREAM_EVENTS) outgoing.write(eventAt(index))
    else outgoing.end()
  }, STREAM_EVENT_MS)
  outgoing.once('close', () => clearInterval(timer))
}

function tell(message: ProcessMessage): void {
  // The bench may be gone already.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}
