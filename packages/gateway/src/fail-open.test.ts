import type { ServerResponse } from 'node:http'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { afterEach, describe, expect, it } from 'vitest'
import { postJson } from './testing/post-json.ts'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'
import { startRecorder } from './testing/start-recorder.ts'
import type { RecordedCall, Recorder } from './testing/start-recorder.ts'

const DEADLINE_MS = 400
const MESSAGES = '/gateway/anthropic/v1/messages'
const ANSWER = { content: [{ type: 'text', text: 'I see.' }], usage: { input_tokens: 9, output_tokens: 2 } }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Stand {
  readonly upstream: Recorder
  readonly under: GatewayUnderTest
}

interface StandOptions {
  readonly store?: Store
  readonly answer?: (call: RecordedCall, outgoing: ServerResponse) => void
  readonly deadlineMs?: number
  readonly windowOf?: () => number | null
}

async function stand({ store = createInMemoryStore(), answer = answerOk, ...rest }: StandOptions = {}): Promise<Stand> {
  const upstream = await startRecorder(answer)
  const under = await startGateway({
    store,
    windowOf: () => 32_000,
    ...rest,
    upstreams: { anthropic: { type: 'anthropic', baseURL: upstream.baseURL } },
  })
  closing.push(upstream.close, under.kill)
  return { upstream, under }
}

function answerOk(_call: RecordedCall, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(ANSWER))
}

const tools = [{ name: 'read_file', input_schema: { type: 'object' } }]
const long = JSON.stringify({
  model: 'some-model',
  tools,
  messages: Array.from({ length: 60 }, (_each, turn) => [
    { role: 'user', content: `Bed ${turn}: ${'The soil is dry and wants some water. '.repeat(80)}` },
    { role: 'assistant', content: [{ type: 'text', text: `Noted ${turn}.` }] },
  ])
    .flat()
    .concat([{ role: 'user', content: 'And now?' }]),
})

/** Calls for summaries offer no tools. */
const isTurn = ({ body }: RecordedCall): boolean => body.includes('"tools"')

const REFUSAL = '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}'

const hang = (): Promise<never> => new Promise<never>(() => undefined)

describe('a store that hangs', () => {
  it.each([
    ['when a conversation is looked for', (whole: Store) => ({ ...whole, sessions: { ...whole.sessions, get: hang } })],
    ['when it is read', (whole: Store) => ({ ...whole, entries: { ...whole.entries, read: hang } })],
    ['when it is written', (whole: Store) => ({ ...whole, entries: { ...whole.entries, append: hang } })],
    ['when it is to be owned', (whole: Store) => ({ ...whole, leases: { ...whole.leases, acquire: hang } })],
  ])('%s holds a request up for a moment only, and the next ones for less', async (_when, breakStore) => {
    const { upstream, under } = await stand({ store: breakStore(createInMemoryStore()), deadlineMs: DEADLINE_MS })
    const begin = performance.now()
    const answer = await postJson(under.url + MESSAGES, long)
    const firstMs = performance.now() - begin
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(ANSWER)
    for (let call = 0; call < 5; call += 1) expect((await postJson(under.url + MESSAGES, long)).status).toBe(200)
    const nextMs = performance.now() - begin - firstMs
    expect(firstMs).toBeGreaterThan(DEADLINE_MS * 0.9)
    expect(nextMs).toBeLessThan(DEADLINE_MS * 3)
    expect(upstream.calls.map(({ body }) => body.equals(Buffer.from(long)))).toEqual(Array(6).fill(true))
    expect(under.lines[0]).toContain('goes out as it came (it took too long)')
  })

  it('after a refusal leaves the client with that refusal, and not waiting', async () => {
    const whole = createInMemoryStore()
    let isStuck = false
    const append: Store['entries']['append'] = (batch) => (isStuck ? hang() : whole.entries.append(batch))
    const refuse = (_call: RecordedCall, outgoing: ServerResponse): void => {
      isStuck = true
      outgoing.writeHead(400, { 'content-type': 'application/json' })
      outgoing.end(REFUSAL)
    }
    const store = { ...whole, entries: { ...whole.entries, append } }
    const { under } = await stand({ store, answer: refuse, deadlineMs: DEADLINE_MS, windowOf: () => null })
    const begin = performance.now()
    const answer = await postJson(under.url + MESSAGES, long)
    expect([answer.status, await answer.text()]).toEqual([400, REFUSAL])
    expect(performance.now() - begin).toBeLessThan(DEADLINE_MS * 5)
    expect(under.lines.join()).toContain('took too long')
  })
})

describe('a body beyond 64 MB', () => {
  const large = Buffer.alloc(66 * 1024 * 1024, 'x')

  it('is passed on while it comes, whether its length was told or not', async () => {
    const { upstream, under } = await stand()
    expect((await postJson(under.url + MESSAGES, large)).status).toBe(200)
    const inPieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < large.length; at += 4_000_000) controller.enqueue(large.subarray(at, at + 4_000_000))
        controller.close()
      },
    })
    const options = { method: 'POST', body: inPieces, duplex: 'half' } as const
    expect((await fetch(under.url + MESSAGES, options)).status).toBe(200)
    expect(upstream.calls.map(({ body }) => body.equals(large))).toEqual([true, true])
  })
})

describe('an edited request', () => {
  const beta = { 'anthropic-beta': 'context-management-2025-06-27,fine-grained', 'anthropic-version': '2023-06-01' }

  it('carries the headers that came, and asks for an answer that can be read', async () => {
    const { upstream, under } = await stand()
    const answer = await postJson(under.url + MESSAGES, long, { ...beta, 'accept-encoding': 'gzip, br' })
    expect(answer.headers.get('x-longhaul-view')).toBe('edited')
    const sent = upstream.calls.findLast(isTurn) as RecordedCall
    expect(sent.headers).toMatchObject({ ...beta, 'x-api-key': 'sk-1', 'accept-encoding': 'identity' })
    expect(sent.headers['content-length']).toBe(String(sent.body.length))
  })

  it.each([400, 413, 422])(
    'that is refused with %i for another reason than its length is sent as it came',
    async (status) => {
      const answer = (call: RecordedCall, outgoing: ServerResponse): void => {
        const isOwn = call.body.equals(Buffer.from(long)) || !isTurn(call)
        outgoing.writeHead(isOwn ? 200 : status, { 'content-type': 'application/json' })
        const bound = 'messages.3.content.0: `thinking` block is bound to a different conversation'
        outgoing.end(JSON.stringify(isOwn ? ANSWER : { type: 'error', error: { message: bound } }))
      }
      const { upstream, under } = await stand({ answer })
      const answered = await postJson(under.url + MESSAGES, long)
      expect(answered.status).toBe(200)
      expect(answered.headers.get('x-longhaul-view')).toBe('verbatim')
      expect(upstream.calls.filter(isTurn).some(({ body }) => body.length < long.length)).toBe(true)
      expect(upstream.calls.findLast(isTurn)?.body.toString()).toBe(long)
    },
  )
})
