import type { Part } from '@longhaul/engine/advanced'
import { afterEach, describe, expect, it } from 'vitest'
import { createModels } from '../create-models.ts'
import type { ModelsOptions } from '../create-models.ts'
import type { ModelEvent } from '../port/model-event.ts'
import type { Models } from '../port/models.ts'
import { collect, createCall, createFastClock, failureOf, finishOf, message, text } from '../testing/drive-call.ts'
import { recordsIn } from '../testing/wire/read-json.ts'
import type { JsonRecord } from '../testing/wire/read-json.ts'
import { startWireServer } from '../testing/wire/start-wire-server.ts'
import type { WireServer, WireServerOptions } from '../testing/wire/start-wire-server.ts'
import { WIRE_CASES } from '../testing/wire/wire-cases.ts'
import type { WireCase } from '../testing/wire/wire-cases.ts'

/** Half a minute of real time, so that a busy machine fails no test. */
const PATIENT = { firstByteMs: 3_000_000, idleMs: 3_000_000, totalMs: 6_000_000 }

const KEY = 'key-of-this-test-0123456789'

let server: WireServer
afterEach(() => server.close())

/** A server with its script, and models that know nobody else. */
async function connect(
  { provider, config }: WireCase,
  script: WireServerOptions,
  options: ModelsOptions = {},
): Promise<Models> {
  server = await startWireServer(script)
  return createModels({
    providers: { [provider]: { ...config, apiKey: KEY, baseURL: server.baseURL } },
    clock: createFastClock(100),
    timeouts: PATIENT,
    random: () => 0.5,
    ...options,
  })
}

/** What a finished answer says. */
function wordsOf(events: readonly ModelEvent[]): string {
  return finishOf(events)
    .parts.map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
}

/** The messages of a request as they were sent; Anthropic's may not be marked in so short a prompt. */
function itemsOf(body: JsonRecord): readonly string[] {
  return recordsIn(body['messages'] ?? body['input'] ?? body['contents']).map((item) => JSON.stringify(item))
}

const NEVER = new AbortController().signal

describe.each(WIRE_CASES)('$wire by $provider', (wireCase) => {
  const id = `${wireCase.provider}/${wireCase.model}`

  it('streams text piece by piece and ends with the whole of it', async () => {
    const models = await connect(wireCase, { replies: [{ text: ['Hel', 'lo', '.'] }] })
    const events = await collect(models.stream(id, createCall('Hi.'), NEVER))
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(['Hel', 'lo', '.'])
    expect(finishOf(events)).toMatchObject({ finish: 'stop', parts: [{ type: 'text', text: 'Hello.' }] })
    expect(server.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('tells parallel tool calls, and sends them and their results back as pairs', async () => {
    const toolCalls = [
      { name: 'read', input: { path: 'a.txt' } },
      { name: 'read', input: { path: 'b.txt' } },
    ]
    const models = await connect(wireCase, { replies: [{ text: 'I look.', toolCalls }, { text: 'Both say yes.' }] })
    const events = await collect(models.stream(id, createCall('Compare.'), NEVER))
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    expect(calls.map(({ toolName, input }) => ({ name: toolName, input }))).toEqual(toolCalls)
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2)
    const { parts, finish } = finishOf(events)
    expect(finish).toBe('tool-calls')

    const results = calls.map(({ toolCallId, toolName }): Part => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: 'yes',
    }))
    const next = createCall([
      message('user', text('Compare.')),
      message('assistant', ...parts),
      message('tool', ...results),
    ])
    expect(wordsOf(await collect(models.stream(id, next, NEVER)))).toBe('Both say yes.')
    const sent = server.requests[1]?.messages ?? []
    expect(sent.flatMap(({ callIds }) => callIds)).toHaveLength(2)
    expect(sent.flatMap(({ resultIds }) => resultIds)).toEqual(sent.flatMap(({ callIds }) => callIds))
  })

  it('sends reasoning back with what the vendor attached to it, and to no other vendor', async () => {
    const signature = 'c2lnbmF0dXJlLW9mLXRoZS10aG91Z2h0cw=='
    const models = await connect(wireCase, {
      replies: [{ reasoning: ['First ', 'this.'], signature, text: 'Done.' }],
      otherwise: { text: 'ok' },
    })
    const events = await collect(models.stream(id, createCall('Think.'), NEVER))
    expect(events.flatMap((event) => (event.type === 'reasoning-delta' ? [event.text] : [])).join('')).toBe(
      'First this.',
    )
    const { parts } = finishOf(events)
    expect(parts.map(({ type }) => type)).toEqual(['reasoning', 'text'])

    const messages = [message('user', text('Think.')), message('assistant', ...parts), message('user', text('Go on.'))]
    await collect(models.stream(id, createCall(messages), NEVER))
    const sent = server.requests[1]?.text ?? ''
    // A Chat endpoint has no signatures: the thoughts themselves go back.
    expect(sent).toContain(wireCase.wire === 'openai-chat' ? 'First this.' : signature)

    const other = WIRE_CASES.find(({ wire }) => wire !== wireCase.wire)
    const others = createModels({
      providers: { [other?.provider ?? '']: { ...other?.config, apiKey: KEY, baseURL: server.baseURL } },
    })
    finishOf(await collect(others.stream(`${other?.provider}/${other?.model}`, createCall(messages), NEVER)))
    expect(server.requests[2]?.text).not.toContain(signature)
    expect(server.requests[2]?.text).not.toContain('First this.')
  })

  it('LH-03 what was sent before is sent again byte for byte when the conversation goes on', async () => {
    const models = await connect(wireCase, {
      replies: [{ reasoning: 'hm', text: 'I look.', toolCalls: [{ name: 'read', input: { path: 'a' } }] }],
      otherwise: { text: 'ok' },
    })
    const { parts } = finishOf(await collect(models.stream(id, createCall('Read.'), NEVER)))
    const results = parts.flatMap((part): Part[] =>
      part.type === 'tool-call' ? [{ ...part, type: 'tool-result', output: 'It says yes.' }] : [],
    )
    const step = [message('user', text('Read.')), message('assistant', ...parts), message('tool', ...results)]
    await collect(models.stream(id, createCall(step), NEVER))
    await collect(
      models.stream(id, createCall([...step, message('assistant', text('Yes.')), message('user', text('So?'))]), NEVER),
    )
    const [first, second, third] = server.requests.map(({ body }) => itemsOf(body))
    expect(second?.slice(0, first?.length)).toEqual(first)
    expect(third?.slice(0, second?.length)).toEqual(second)
    expect(third?.length).toBeGreaterThan(second?.length ?? 0)
  })

  it('reports the usage of each call by itself, cache included, with its cost', async () => {
    const price = { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 }
    const models = await connect(
      wireCase,
      {
        replies: [
          { text: 'a', usage: { input: 1_000, output: 10, cacheRead: 0, reasoning: 4 } },
          { text: 'b', usage: { input: 2_000, output: 20, cacheRead: 900, reasoning: 0 } },
        ],
      },
      { models: { [id]: { price } } },
    )
    const first = finishOf(await collect(models.stream(id, createCall('1'), NEVER))).usage
    const second = finishOf(await collect(models.stream(id, createCall('2'), NEVER))).usage
    expect(first).toMatchObject({ input: 1_000, output: 10, reasoning: 4, costUsd: expect.closeTo(0.011) })
    expect(second).toMatchObject({ input: 2_000, output: 20, cacheRead: 900, costUsd: expect.closeTo(0.0139) })
  })

  it('stops at once when it is aborted, and tells what had arrived', async () => {
    const models = await connect(wireCase, {
      replies: [{ text: ['One ', 'two.'], breaksOff: { afterPieces: 1, how: 'stall' } }],
    })
    const abort = new AbortController()
    const events = []
    for await (const event of models.stream(id, createCall('Count.'), abort.signal)) {
      events.push(event)
      if (event.type === 'text-delta') abort.abort()
    }
    expect(failureOf(events)).toMatchObject({ failure: { kind: 'aborted' }, parts: [{ type: 'text', text: 'One ' }] })
  })

  it('waits as long as a 429 asks, then succeeds', async () => {
    const throttled = { error: { message: 'Too many requests', type: 'rate_limit_error', code: 429, status: 'X' } }
    const models = await connect(wireCase, {
      replies: [
        { fault: 'http', status: 429, body: { type: 'error', ...throttled }, headers: { 'Retry-After': '2' } },
        { text: 'Now.' },
      ],
    })
    const events = await collect(models.stream(id, createCall('Hi.'), NEVER))
    expect(events[0]).toMatchObject({ type: 'retry', attempt: 1, delayMs: 2_000 })
    expect(wordsOf(events)).toBe('Now.')
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.text).toBe(server.requests[0]?.text)
  })

  it('tries again after a 500, and gives up after as many retries as were allowed', async () => {
    const broken = { fault: 'http', status: 500, body: { error: { message: 'Internal error' } } } as const
    const models = await connect(wireCase, { replies: [broken, { text: 'Now.' }], otherwise: broken })
    expect(wordsOf(await collect(models.stream(id, createCall('Hi.'), NEVER)))).toBe('Now.')

    const failed = await collect(models.stream(id, createCall('Hi.', { maxRetries: 1 }), NEVER))
    expect(failed.map(({ type }) => type)).toEqual(['retry', 'failure'])
    expect(failureOf(failed).failure).toMatchObject({ kind: 'unavailable', status: 500 })
    expect(server.requests).toHaveLength(4)
  })

  it('tries again when the connection is reset before the first byte', async () => {
    const models = await connect(wireCase, { replies: [{ fault: 'reset' }, { text: 'Now.' }] })
    const events = await collect(models.stream(id, createCall('Hi.'), NEVER))
    expect(events[0]?.type).toBe('retry')
    expect(wordsOf(events)).toBe('Now.')
  })

  it.each(['reset', 'end', 'garbage', { type: 'overloaded_error', message: 'Overloaded', status: 503 }] as const)(
    'an answer that breaks off (%j) is interrupted, kept as far as it came, and not asked for again',
    async (how) => {
      const models = await connect(wireCase, {
        replies: [{ text: ['One ', 'two ', 'three.'], breaksOff: { afterPieces: 2, how } }],
      })
      const events = await collect(models.stream(id, createCall('Count.'), NEVER))
      expect(failureOf(events)).toMatchObject({
        failure: { kind: 'interrupted' },
        parts: [{ type: 'text', text: 'One two ' }],
      })
      expect(server.requests).toHaveLength(1)
    },
  )

  it('garbage from the start is a failure of the endpoint', async () => {
    const models = await connect(wireCase, {
      otherwise: { text: 'never seen', breaksOff: { afterPieces: 0, how: 'garbage' } },
    })
    const { failure } = failureOf(await collect(models.stream(id, createCall('Hi.', { maxRetries: 0 }), NEVER)))
    expect(failure.kind).toBe('unavailable')
  })

  it('an empty stream is no answer', async () => {
    const models = await connect(wireCase, { otherwise: { fault: 'empty-stream' } })
    const { failure } = failureOf(await collect(models.stream(id, createCall('Hi.', { maxRetries: 0 }), NEVER)))
    expect(['empty', 'unavailable']).toContain(failure.kind)
  })

  it('an answer without a word is empty', async () => {
    const models = await connect(wireCase, { otherwise: { text: [] } })
    const { failure } = failureOf(await collect(models.stream(id, createCall('Hi.', { maxRetries: 0 }), NEVER)))
    expect(failure.kind).toBe('empty')
  })

  it('does not wait longer than allowed for the first byte', async () => {
    const models = await connect(wireCase, { otherwise: { fault: 'silence' } })
    const call = createCall('Hi.', { maxRetries: 0, timeouts: { firstByteMs: 3_000 } })
    expect(failureOf(await collect(models.stream(id, call, NEVER))).failure.kind).toBe('timeout')
  })

  it('does not wait longer than allowed for the next piece', async () => {
    const models = await connect(wireCase, {
      replies: [{ text: ['One ', 'two.'], breaksOff: { afterPieces: 1, how: 'stall' } }],
    })
    const call = createCall('Hi.', { timeouts: { idleMs: 3_000 } })
    expect(failureOf(await collect(models.stream(id, call, NEVER)))).toMatchObject({
      failure: { kind: 'interrupted' },
      parts: [{ type: 'text', text: 'One ' }],
    })
  })

  it('takes a slow stream to its end', async () => {
    const pieces = Array.from({ length: 10 }, (_, index) => `${index} `)
    const delays = { firstByteMs: 10, pieceMs: 5 }
    const models = await connect(wireCase, { replies: [{ text: pieces, delays }] })
    expect(wordsOf(await collect(models.stream(id, createCall('Hi.'), NEVER)))).toBe(pieces.join(''))
  })

  it('a wrong key is a failure of authentication, and never shows', async () => {
    const models = await connect(wireCase, { apiKey: 'another-key' })
    const { failure } = failureOf(await collect(models.stream(id, createCall('Hi.'), NEVER)))
    expect(failure.kind).toBe('auth')
    expect(failure.message).not.toContain(KEY)
    expect(failure.message).not.toContain(KEY.slice(0, 8))
  })

  it('a key that the endpoint quotes is blacked out', async () => {
    const error = { message: `Bad request with key ${KEY} and sk-proj-abcdefghijklmnop1234`, type: 'x', code: null }
    const body = { type: 'error', error: wireCase.wire === 'google' ? { ...error, code: 400, status: 'X' } : error }
    const models = await connect(wireCase, { otherwise: { fault: 'http', status: 400, body } })
    const { failure } = failureOf(await collect(models.stream(id, createCall('Hi.'), NEVER)))
    expect(failure).toMatchObject({ kind: 'invalid-request', message: expect.stringContaining('Bad request with key') })
    expect(failure.message).not.toContain(KEY)
    expect(failure.message).not.toContain('abcdefghijkl')
  })

  it('the window that the server enforces is found, with what was sent and what is allowed', async () => {
    const models = await connect(wireCase, { otherwise: { text: 'ok' }, windowTokens: 2_000 })
    const { failure } = failureOf(await collect(models.stream(id, createCall('x'.repeat(9_000)), NEVER)))
    expect(failure.kind).toBe('input-overflow')
    // Of OpenAI's formats the newer one says no numbers.
    if (wireCase.wire !== 'openai-responses') expect(failure.tokens?.limit).toBe(2_000)
    finishOf(await collect(models.stream(id, createCall('short'), NEVER)))
  })
})
