import type { Ask } from '@longhaul/engine'
import { isRecord } from '@longhaul/engine/advanced'
import { copyText, decodeJson, fromByteText } from '../json/bytes.ts'
import { headersOfOtherBody } from '../upstream/forward-headers.ts'
import { readStreamedAnswer } from '../upstream/read-streamed-answer.ts'
import { stringOf } from '../wires/read-content.ts'
import type { RawMember } from '../wires/wire.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'

/** Asks for a summary as the client would: the same upstream, model and credentials, without tools. */
export function createUpstreamAsk(
  { url, headers, wire, route }: Pick<GatewayCall, 'url' | 'headers' | 'wire' | 'route'>,
  member: RawMember,
  { client, tally, priceOf }: Pick<GatewayContext, 'client' | 'tally' | 'priceOf'>,
): Ask {
  // A summary is asked for later: only the members that it needs are kept, not the body.
  const kept = new Map(KEPT.map((key) => [key, copyOf(member(key))]))
  const model = stringOf(decodeJson(member('model') ?? '""'))
  return async (request, signal) => {
    const body = fromByteText(wire.writeSummaryCall(request, (key) => kept.get(key)))
    const stop = new AbortController()
    const abort = (): void => stop.abort()
    signal.addEventListener('abort', abort)
    const timer = setTimeout(abort, request.timeoutMs)
    try {
      const answer = await client.call({
        url,
        method: 'POST',
        headers: {
          ...headersOfOtherBody(headers),
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body,
        signal: stop.signal,
      })
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      if ((answer.statusCode ?? 500) >= 400)
        throw new Error(`The upstream answered a summary with ${answer.statusCode}.`)
      const text = Buffer.concat(chunks).toString('utf8')
      const isStream = String(answer.headers['content-type']).includes('event-stream')
      const said: unknown = isStream ? readStreamedAnswer(text) : JSON.parse(text)
      const bill = isRecord(said) && isRecord(said['usage']) ? wire.readUsage(said['usage'], null) : null
      tally.summary(bill, bill === null ? null : priceOf(route.upstream, model, bill))
      return { text: wire.readAnswerText(said), ...(bill === null ? {} : { usage: bill }) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }
}

function copyOf(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : copyText(raw)
}

const KEPT = [
  'model',
  'system',
  'metadata',
  'max_tokens',
  'max_completion_tokens',
  'instructions',
  'max_output_tokens',
  'stream',
]
