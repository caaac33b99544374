import type { IncomingMessage } from 'node:http'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'

/** Sends a body with the client's headers. One that is not the client's own is not compressed. */
export function sendUpstream(call: GatewayCall, bytes: Buffer, { client }: GatewayContext): Promise<IncomingMessage> {
  const { url, headers, signal, incoming } = call
  const { 'content-encoding': encoding, ...plain } = headers
  const isOwn = bytes === call.bytes && encoding !== undefined
  return client.call({
    url,
    method: incoming.method ?? 'POST',
    headers: isOwn ? { ...plain, 'content-encoding': encoding } : plain,
    body: bytes,
    signal,
  })
}
