import type { IncomingMessage } from 'node:http'
import { headersOfOtherBody } from '../upstream/forward-headers.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'

/** Sends a body with the client's headers. */
export function sendUpstream(call: GatewayCall, bytes: Buffer, { client }: GatewayContext): Promise<IncomingMessage> {
  const { url, headers, signal, incoming } = call
  return client.call({
    url,
    method: incoming.method ?? 'POST',
    headers: bytes === call.bytes ? headers : headersOfOtherBody(headers),
    body: bytes,
    signal,
  })
}
