import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { readRoute, upstreamUrl } from '../read-route.ts'
import type { Route } from '../read-route.ts'
import { forwardHeaders } from '../upstream/forward-headers.ts'
import { pipeAnswer } from '../upstream/pipe-answer.ts'
import { readBody } from '../upstream/read-body.ts'
import { findWire } from '../wires/find-wire.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'
import { nameOf } from './name-of.ts'
import { prepareCount } from './prepare-count.ts'
import { prepareTurn } from './prepare-turn.ts'
import type { PreparedTurn } from './prepare-turn.ts'
import { readRequest } from './read-request.ts'
import { sendUpstream } from './send-upstream.ts'
import { serveTurn } from './serve-turn.ts'
import { tryInTime } from './try-in-time.ts'

/** Serves one call, whatever it asks for. */
export async function serveCall(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, context }: { readonly path: string; readonly context: GatewayContext },
): Promise<void> {
  const route = readRoute(path)
  const upstream = route === null ? undefined : ownValue(context.upstreams, route.upstream)
  if (route === null || upstream === undefined) return refuse(outgoing, 404, describeUnknown(route, context))
  if (incoming.headers.upgrade !== undefined)
    return refuse(outgoing, 426, 'This gateway speaks HTTP only: send the same request as POST.')
  const url = upstreamUrl(upstream.baseURL, route.path)
  if (url === null) return refuse(outgoing, 400, 'This path leads out of the address of its upstream.')
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const headers = forwardHeaders(incoming)
  const passing: Passing = { incoming, outgoing, url, headers, signal: gone.signal, context }
  const found = incoming.headers['x-longhaul'] === 'off' ? null : findWire(upstream.type, incoming.method, route.path)
  try {
    if (found === null) return await passOn(passing, hasBody(incoming) ? incoming : null)
    const body = await readBody(incoming)
    if ('stream' in body) return await passOn(passing, body.stream)
    const call = { incoming, outgoing, route, url, headers, bytes: body.bytes, signal: gone.signal, ...found }
    await serveKnown(call, context)
  } catch (error) {
    if (gone.signal.aborted) return
    context.log(`gateway: no answer from ${route.upstream} (${nameOf(error)})`)
    if (outgoing.headersSent) outgoing.destroy()
    else refuse(outgoing, 502, `The gateway could not reach ${route.upstream}.`)
  }
}

async function serveKnown(call: GatewayCall, context: GatewayContext): Promise<void> {
  const otherwise = `a request to ${call.route.upstream} goes out as it came`
  const prepared = await tryInTime(prepare(call, context), { call, context, otherwise })
  if (!call.isCount) context.tally.request()
  if (prepared !== null && 'conversation' in prepared) return serveTurn(call, prepared, context)
  const answer = await sendUpstream(call, prepared?.bytes ?? call.bytes, context)
  const view = prepared?.isEdited === true ? 'edited' : 'verbatim'
  await pipeAnswer(answer, call.outgoing, { headers: { 'x-longhaul-view': view } })
}

type Prepared = PreparedTurn | Awaited<ReturnType<typeof prepareCount>> | null

/** null: the request goes out as it came, because there is nothing to do for it. */
async function prepare(call: GatewayCall, context: GatewayContext): Promise<Prepared> {
  const request = await readRequest(call, context)
  if (request === null) return null
  if (call.isCount) return prepareCount(call, request, context)
  return request.kind === 'side' ? null : prepareTurn(call, request, context)
}

interface Passing {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly url: URL
  readonly headers: GatewayCall['headers']
  readonly signal: AbortSignal
  readonly context: GatewayContext
}

async function passOn(
  { incoming, outgoing, url, headers, signal, context }: Passing,
  body: Readable | null,
): Promise<void> {
  const length = incoming.headers['content-length']
  const answer = await context.client.call({
    url,
    method: incoming.method ?? 'GET',
    headers: {
      ...headers,
      ...passedHeaders(incoming),
      ...(body === null || length === undefined ? {} : { 'content-length': length }),
    },
    body,
    signal,
  })
  await pipeAnswer(answer, outgoing)
}

/** Nothing is read on the side here, so the client's own wish for a compressed answer holds. */
function passedHeaders({ headers }: IncomingMessage): GatewayCall['headers'] {
  return { 'accept-encoding': headers['accept-encoding'] ?? 'identity' }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function describeUnknown(route: Route | null, { upstreams }: GatewayContext): string {
  const known = `It has ${Object.keys(upstreams).join(', ')}.`
  return route === null
    ? `A path of this gateway is /gateway/NAME/…, with an upstream's name and its own path. ${known}`
    : `This gateway has no upstream of that name. ${known}`
}

/** In a shape that clients of both vendors can read. */
function refuse(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }))
}
