import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

/** Headers that hold for one connection only. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Headers that describe the connection or the body that is sent anew. */
const OWN = new Set(['host', 'expect', 'accept-encoding', 'content-length'])
/**
 * A browser sends the cookies of the gateway's own address, which hold the right to allow tool calls; and the address it
 * comes from may hold the server's token. Neither is the upstream's business.
 */
const OF_THE_ADDRESS = new Set(['cookie', 'cookie2', 'referer'])
/** Headers that hold for one body only: with another body the upstream would refuse, or give an earlier answer again. */
const OF_THE_BODY = ['content-encoding', 'content-md5', 'content-digest', 'digest', 'repr-digest', 'idempotency-key']

/** The client's headers as they came, without those of the connection and of the gateway itself. */
export function forwardHeaders(incoming: IncomingMessage): OutgoingHttpHeaders {
  const dropped = namedByConnection(incoming.headers)
  const headers: OutgoingHttpHeaders = {}
  eachHeader(incoming.rawHeaders, (name, value) => {
    const key = name.toLowerCase()
    if (
      HOP_BY_HOP.has(key) ||
      OWN.has(key) ||
      OF_THE_ADDRESS.has(key) ||
      key.startsWith('x-longhaul-') ||
      key === 'x-longhaul'
    )
      return
    if (!dropped.has(key)) add(headers, key, value)
  })
  // Otherwise the answer could not be read on the side.
  headers['accept-encoding'] = 'identity'
  return headers
}

/** The same headers for a body that is not the client's own, which is sent without compression. */
export function headersOfOtherBody(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BODY.includes(name)))
}

/** The upstream's headers as they came, without those of the connection. It sets no cookies for the gateway's address. */
export function answerHeaders(answer: IncomingMessage): OutgoingHttpHeaders {
  const dropped = namedByConnection(answer.headers)
  const headers: OutgoingHttpHeaders = {}
  eachHeader(answer.rawHeaders, (name, value) => {
    const key = name.toLowerCase()
    if (!HOP_BY_HOP.has(key) && !dropped.has(key) && key !== 'set-cookie') add(headers, key, value)
  })
  return headers
}

function namedByConnection({ connection }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
}

function eachHeader(raw: readonly string[], visit: (name: string, value: string) => void): void {
  for (let at = 0; at + 1 < raw.length; at += 2) visit(raw[at] as string, raw[at + 1] as string)
}

function add(headers: OutgoingHttpHeaders, key: string, value: string): void {
  const known = headers[key]
  headers[key] = known === undefined ? value : [...(Array.isArray(known) ? known : [String(known)]), value]
}
