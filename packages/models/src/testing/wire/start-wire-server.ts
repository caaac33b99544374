import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRecord } from '@longhaul/engine/advanced'
import { anthropicWire } from './anthropic-wire.ts'
import { googleWire } from './google-wire.ts'
import { openaiChatWire } from './openai-chat-wire.ts'
import { openaiResponsesWire } from './openai-responses-wire.ts'
import type { JsonRecord } from './read-json.ts'
import { sendAnswer, sendFault, sendJson, sendWhole } from './send-reply.ts'
import { piecesOf } from './wire-reply.ts'
import type { WireAnswer, WireFault, WireReply, WireUsage } from './wire-reply.ts'
import type { WireRefusal, WireRequest } from './wire-request.ts'
import type { Wire, WireHttpError } from './wire.ts'

const WIRES: readonly Wire[] = [anthropicWire, openaiResponsesWire, openaiChatWire, googleWire]

export interface WireServerOptions {
  /** In order, one a request. */
  readonly replies?: readonly WireReply[]
  /** Once they are used up. Default: a refusal that says so. */
  readonly otherwise?: WireReply
  /** Any other key is refused as the vendor refuses it. Default: all are taken. */
  readonly apiKey?: string
  /** Larger prompts are refused in the vendor's own words. Default: no limit. */
  readonly windowTokens?: number
  /** Whether the requested output counts into the window, as with some vendors' older models. Default false. */
  readonly windowHoldsOutput?: boolean
  /** Default 3. */
  readonly charsPerToken?: number
}

/** A local HTTP server that speaks every vendor's real format: which one it is told by the path that is asked for. */
export interface WireServer {
  /** For `baseURL` in a provider's configuration. */
  readonly baseURL: string
  /** What was asked so far, refused requests included. */
  readonly requests: readonly WireRequest[]
  /** Adds to the replies that are still to come. */
  reply(...replies: readonly WireReply[]): void
  close(): Promise<void>
}

export async function startWireServer(options: WireServerOptions = {}): Promise<WireServer> {
  const requests: WireRequest[] = []
  const replies = [...(options.replies ?? [])]
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const text = await readBody(incoming)
    const path = (incoming.url ?? '').replace(/\?.*$/, '')
    // Such as a list of models, or a look whether the server is there.
    if (incoming.method !== 'POST') return sendJson(outgoing, { status: 404, body: { error: path } })
    const wire = WIRES.find((candidate) => candidate.accepts(path))
    const body: unknown = JSON.parse(text)
    if (wire === undefined || !isRecord(body)) return sendJson(outgoing, { status: 404, body: { error: path } })
    const read = readRequest({ wire, path, body, text, headers: incoming.headers }, options)
    const refusal = findRefusal(wire, read, options)
    const request: WireRequest = { ...read, refused: refusal?.why ?? null }
    requests.push(request)
    if (refusal !== null) return sendJson(outgoing, refusal.error)
    const next = replies.shift() ?? options.otherwise ?? NO_REPLY_LEFT
    const reply = typeof next === 'function' ? next(request) : next
    if ('fault' in reply) return sendFault(outgoing, reply)
    const send = wire.isStreamed(body, path) ? sendAnswer : sendWhole
    return send(outgoing, wire, reply, {
      model: request.model,
      usage: billOf(reply, request, options),
      finish: reply.finish ?? ((reply.toolCalls ?? []).length > 0 ? 'tool-calls' : 'stop'),
      turn: requests.length,
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    reply: (...more) => void replies.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const NO_REPLY_LEFT: WireFault = {
  fault: 'http',
  status: 400,
  body: { error: { message: 'the script has no reply left', type: 'invalid_request_error' } },
}

const DEFAULT_CHARS_PER_TOKEN = 3

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

interface Arrival {
  readonly wire: Wire
  readonly path: string
  readonly body: JsonRecord
  readonly text: string
  readonly headers: IncomingMessage['headers']
}

type ReadRequest = Omit<WireRequest, 'refused'>

function readRequest({ wire, path, body, text, headers }: Arrival, options: WireServerOptions): ReadRequest {
  const plain = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const prompt = wire.promptOf(body).filter((part) => part !== undefined)
  const chars = prompt.reduce<number>((sum, part) => sum + JSON.stringify(part).length, 0)
  return {
    wire: wire.name,
    path,
    headers: Object.fromEntries(plain),
    body,
    text,
    model: wire.modelOf(body, path),
    messages: wire.readMessages(body),
    inputTokens: countTokens(chars, options),
  }
}

function countTokens(chars: number, { charsPerToken = DEFAULT_CHARS_PER_TOKEN }: WireServerOptions): number {
  return Math.ceil(chars / charsPerToken)
}

interface Refusal {
  readonly why: WireRefusal
  /** In the vendor's own words. */
  readonly error: WireHttpError
}

function findRefusal(wire: Wire, request: ReadRequest, options: WireServerOptions): Refusal | null {
  const key = wire.keyOf(request.headers) ?? ''
  if (options.apiKey !== undefined && key !== options.apiKey) return { why: 'wrong-key', error: wire.wrongKey(key) }
  const invalid = wire.findInvalid(request.body, request.messages)
  if (invalid !== null) return { why: 'invalid', error: invalid }
  const { windowTokens = Number.POSITIVE_INFINITY, windowHoldsOutput = false } = options
  const outputTokens = wire.maxOutputOf(request.body) ?? 0
  const needed = request.inputTokens + (windowHoldsOutput ? outputTokens : 0)
  if (needed <= windowTokens) return null
  return { why: 'too-long', error: wire.overflow({ inputTokens: request.inputTokens, outputTokens, windowTokens }) }
}

function billOf(answer: WireAnswer, request: WireRequest, options: WireServerOptions): WireUsage {
  const thoughtChars = piecesOf(answer.reasoning).join('').length
  const callChars = JSON.stringify(answer.toolCalls ?? []).length - 2
  const reasoning = countTokens(thoughtChars, options)
  return {
    input: request.inputTokens,
    output: reasoning + countTokens(piecesOf(answer.text).join('').length + callChars, options),
    cacheRead: 0,
    cacheWrite: 0,
    reasoning,
    ...answer.usage,
  }
}
