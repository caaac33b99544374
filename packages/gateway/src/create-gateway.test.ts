import { request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { afterEach, describe, expect, it } from 'vitest'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'
import { startRecorder } from './testing/start-recorder.ts'
import type { RecordedCall, Recorder } from './testing/start-recorder.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Stand {
  readonly upstream: Recorder
  readonly under: GatewayUnderTest
  readonly store: Store
}

async function stand(
  answer: (call: RecordedCall, outgoing: ServerResponse) => void = answerOk,
  { store = createInMemoryStore(), windowTokens = 32_000 }: { store?: Store; windowTokens?: number | null } = {},
): Promise<Stand> {
  const upstream = await startRecorder(answer)
  const under = await startGateway({
    store,
    windowOf: () => windowTokens,
    upstreams: {
      anthropic: { type: 'anthropic', baseURL: upstream.baseURL },
      openai: { type: 'openai', baseURL: `${upstream.baseURL}/v1` },
    },
  })
  closing.push(upstream.close, under.close)
  return { upstream, under, store }
}

const OVERFLOW = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
const USAGE = { input_tokens: 10, output_tokens: 5 }

function answerOk(_call: RecordedCall, outgoing: ServerResponse): void {
  send(outgoing, 200, { content: [{ type: 'text', text: 'I see. Go on.' }], usage: USAGE })
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' })
  outgoing.end(JSON.stringify(body))
}

const TOOLS = [{ name: 'read_file', description: 'Reads a file.', input_schema: { type: 'object' } }]
const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))
const user = (text: string) => ({ role: 'user', content: text })
const model = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })

function bodyOf(messages: readonly unknown[], more: object = {}): string {
  return JSON.stringify({
    model: 'some-model',
    max_tokens: 100,
    system: 'You garden.',
    tools: TOOLS,
    messages,
    ...more,
  })
}

const post = (url: string, content: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'sk-1', ...headers },
    body: typeof content === 'string' ? content : new Uint8Array(content),
  })
const MESSAGES = '/gateway/anthropic/v1/messages'

/** A conversation that is longer than the window of 32,000 tokens. */
function longTalk(turns: number): unknown[] {
  return Array.from({ length: turns }, (_each, turn) => [
    user(`Bed ${turn}: ${talk(3_000)}`),
    model(`Noted ${turn}.`),
  ]).flat()
}

describe('whatever is no call of a known wire', () => {
  it('is passed on with its path, its headers and its bytes', async () => {
    const { upstream, under } = await stand((call, outgoing) => send(outgoing, 207, { seen: call.url }))
    const answer = await fetch(`${under.url}/gateway/openai/v1/files?purpose=x`, {
      method: 'PUT',
      headers: {
        authorization: 'Bearer k',
        'x-longhaul-session': 'mine',
        'openai-beta': 'a=1',
        connection: 'keep-alive',
      },
      body: 'any bytes at all: \u{1f331}',
    })
    expect(answer.status).toBe(207)
    expect(await answer.json()).toEqual({ seen: '/v1/files?purpose=x' })
    expect(answer.headers.get('x-request-id')).toBe('req_1')
    const [call] = upstream.calls
    expect(call?.body.toString()).toBe('any bytes at all: \u{1f331}')
    expect(call?.headers).toMatchObject({ authorization: 'Bearer k', 'openai-beta': 'a=1' })
    expect(call?.headers['x-longhaul-session']).toBeUndefined()
  })

  it.each(['/gateway/anthropic/v1/models', '/gateway/openai/v1/models'])(
    'GET %s goes to the upstream',
    async (path) => {
      const { upstream, under } = await stand()
      expect((await fetch(under.url + path)).status).toBe(200)
      expect(upstream.calls[0]).toMatchObject({ method: 'GET', url: '/v1/models' })
    },
  )

  it('is told so where there is no such upstream', async () => {
    const { under } = await stand()
    expect((await post(`${under.url}/gateway/nobody/v1/messages`, '{}')).status).toBe(404)
    expect((await post(`${under.url}/gateway/constructor/v1/messages`, '{}')).status).toBe(404)
  })
})

describe('a request below the threshold', () => {
  const odd =
    '{ "model":"some-model",\n"max_tokens": 1.0e2, "tools":[{"name":"a"}], "messages": [ {"role":"user","content":"\\u00fc 🌱", "n": 12345678901234567890} ] , "x":null}'

  it('reaches the upstream byte for byte, with the headers that came', async () => {
    const { upstream, under } = await stand()
    const answer = await post(under.url + MESSAGES, odd, { 'anthropic-beta': 'a,b', 'anthropic-version': '2023-06-01' })
    expect(upstream.calls[0]?.body.toString()).toBe(odd)
    expect(upstream.calls[0]?.headers).toMatchObject({
      'anthropic-beta': 'a,b',
      'anthropic-version': '2023-06-01',
      'x-api-key': 'sk-1',
      'accept-encoding': 'identity',
    })
    expect(answer.headers.get('x-longhaul-view')).toBe('verbatim')
    expect(Number(answer.headers.get('x-longhaul-tokens'))).toBeGreaterThan(10)
    expect(answer.headers.get('x-longhaul-session')).toMatch(/^gateway-/)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('stays compressed with %s', async (encoding, compress) => {
    const { upstream, under } = await stand()
    const bytes = compress(Buffer.from(odd))
    const answer = await post(under.url + MESSAGES, bytes, { 'content-encoding': encoding })
    expect(upstream.calls[0]?.body.equals(bytes)).toBe(true)
    expect(upstream.calls[0]?.headers['content-encoding']).toBe(encoding)
    expect(answer.headers.get('x-longhaul-view')).toBe('verbatim')
  })

  it.each([
    'not JSON at all',
    '[]',
    '{"messages":[',
    '{"messages":{}}',
    '{"messages":[],"messages":[1]}',
    '',
    '{"messages":[{"role":"user","content":"\\q"}]}',
  ])('is passed on where nobody can read it: %s', async (content) => {
    const { upstream, under } = await stand((_call, outgoing) => send(outgoing, 400, { error: { message: 'bad' } }))
    const answer = await post(under.url + MESSAGES, content)
    expect(answer.status).toBe(400)
    expect(upstream.calls.map((call) => call.body.toString())).toEqual([content])
  })

  it('is not looked at where x-longhaul says off, or the upstream keeps the history', async () => {
    const { under, store, upstream } = await stand()
    await post(under.url + MESSAGES, bodyOf(longTalk(50)), { 'x-longhaul': 'off' })
    await post(
      `${under.url}/gateway/openai/v1/responses`,
      JSON.stringify({ model: 'm', previous_response_id: 'resp_1', input: talk(200_000) }),
    )
    expect((await store.sessions.list({})).items).toEqual([])
    expect(upstream.calls.map(({ body: { length } }) => length > 100_000)).toEqual([true, true])
  })
})

describe('a request above the threshold', () => {
  it('is sent smaller, also when it came compressed', async () => {
    const { upstream, under } = await stand()
    const long = [...longTalk(50), user('And now?')]
    const answer = await post(under.url + MESSAGES, gzipSync(bodyOf(long)), { 'content-encoding': 'gzip' })
    expect(answer.headers.get('x-longhaul-view')).toBe('edited')
    const sent = upstream.calls.at(-1)
    expect(sent?.headers['content-encoding']).toBeUndefined()
    const { messages, ...rest } = JSON.parse(String(sent?.body)) as { messages: unknown[] }
    expect(messages.at(-1)).toEqual(user('And now?'))
    expect(rest).toEqual({ model: 'some-model', max_tokens: 100, system: 'You garden.', tools: TOOLS })
    expect(sent?.body.length).toBeLessThan(32_000 * 4)
    expect(under.gateway.report()).toMatchObject({ requests: 1, edited: 1, refusalsAvoided: 1 })
  })

  it('is counted as it would be sent', async () => {
    const { upstream, under, store } = await stand()
    const long = [...longTalk(50), user('And now?')]
    await post(under.url + MESSAGES, bodyOf(long))
    const sent = String(upstream.calls.at(-1)?.body)
    const more = [...long, model('Yes.'), user('Count this.')]
    await post(`${under.url}${MESSAGES}/count_tokens`, bodyOf(more))
    const counted = String(upstream.calls.at(-1)?.body)
    expect(upstream.calls.at(-1)?.url).toBe('/v1/messages/count_tokens')
    const listIn = (text: string): unknown[] => (JSON.parse(text) as { messages: unknown[] }).messages
    expect(listIn(counted)).toEqual([...listIn(sent), model('Yes.'), user('Count this.')])
    expect((await store.sessions.list({})).items).toHaveLength(1)
  })

  it('is sent as it came where the upstream finds the smaller one invalid', async () => {
    const { upstream, under } = await stand((call, outgoing) =>
      call.body.length < 150_000 && call.body.includes('And now?')
        ? send(outgoing, 400, { error: { message: 'thinking blocks cannot be modified' } })
        : answerOk(call, outgoing),
    )
    const long = bodyOf([...longTalk(50), user('And now?')])
    const answer = await post(under.url + MESSAGES, long)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-longhaul-view')).toBe('verbatim')
    expect(upstream.calls.at(-1)?.body.toString()).toBe(long)
    expect(under.lines.join()).toContain('invalid')
  })

  it('is made smaller where the refusal comes in the stream, and no event of it reaches the client', async () => {
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'context_length_exceeded', message: OVERFLOW } },
    }
    const said = { type: 'response.output_text.delta', delta: 'Yes.' }
    const { upstream, under } = await stand(
      (call, outgoing) => {
        const events = [{ type: 'response.created' }, call.body.length > 100_000 ? failed : said]
        void stream(
          outgoing,
          events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
        )
      },
      { windowTokens: null },
    )
    const input = longTalk(50).map((message) => ({ type: 'message', ...(message as object) }))
    const url = `${under.url}/gateway/openai/v1/responses`
    const answer = await post(
      url,
      JSON.stringify({ model: 'm', tools: TOOLS, input: [...input, user('And?')], stream: true }),
    )
    const text = await answer.text()
    expect(text).toContain('Yes.')
    expect(text).not.toContain('failed')
    expect(text.match(/response.created/g)).toHaveLength(1)
    expect(
      upstream.calls.filter((call) => call.body.length > 100_000 && call.body.includes('"tools"')).length,
    ).toBeLessThan(4)
    expect(under.gateway.report().refusalsAvoided).toBe(1)
  })

  it('comes back as the upstream’s own refusal where nothing helps', async () => {
    const refuse = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 1 maximum' },
    }
    const { under } = await stand((_call, outgoing) => send(outgoing, 400, refuse))
    const answer = await post(under.url + MESSAGES, bodyOf([...longTalk(3), user('And now?')]))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual(refuse)
  })
})

describe('an answer', () => {
  const events = Array.from(
    { length: 50 },
    (_each, index) => `event: e\ndata: {"n":${index},"server_tool_use":"\\u00fc"}\n\n`,
  )

  it('is passed on with identical bytes, piece by piece', async () => {
    const { under } = await stand((_call, outgoing) => void stream(outgoing, events))
    const answer = await post(under.url + MESSAGES, bodyOf([user('Go.')], { stream: true }))
    const seen: number[] = []
    let all = ''
    for await (const chunk of answer.body ?? []) {
      seen.push(performance.now())
      all += Buffer.from(chunk).toString()
    }
    expect(all).toBe(events.join(''))
    expect(seen.length).toBeGreaterThan(10)
  })

  it('comes whole to each of 200 clients at once', async () => {
    const { under } = await stand((_call, outgoing) => void stream(outgoing, events))
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_each, index) => {
        const answer = await post(under.url + MESSAGES, bodyOf([user(`Go ${index}.`)], { stream: true }))
        return answer.text()
      }),
    )
    expect(answers.filter((text) => text === events.join(''))).toHaveLength(200)
    expect(under.lines).toEqual([])
  })

  it('that breaks off breaks off for the client too', async () => {
    const { under } = await stand((_call, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: 1\n\n', () => setTimeout(() => outgoing.destroy(), 20))
    })
    const answer = await post(under.url + MESSAGES, bodyOf([user('Go.')], { stream: true }))
    await expect(answer.text()).rejects.toThrow(/terminated|closed/)
  })

  it('ends upstream when the client leaves', async () => {
    let isEnded = false
    const { under } = await stand((_call, outgoing) => {
      outgoing.on('close', () => (isEnded = true))
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: 1\n\n')
    })
    const leaving = new AbortController()
    const answer = await fetch(under.url + MESSAGES, {
      method: 'POST',
      body: bodyOf([user('Go.')]),
      signal: leaving.signal,
    })
    expect(answer.status).toBe(200)
    leaving.abort()
    await until(() => isEnded)
  })

  it('waits for a client that reads slowly', async () => {
    let written = 0
    const { under } = await stand((_call, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      const piece = Buffer.alloc(64 * 1024, 'x')
      const write = (): void => {
        let hasRoom = true
        for (; written < 2_000 && hasRoom; written += 1) hasRoom = outgoing.write(piece)
        if (written < 2_000) outgoing.once('drain', write)
        else outgoing.end()
      }
      write()
    })
    const slow = await open(under.url + MESSAGES, bodyOf([user('Go.')]))
    await delay(300)
    expect(written).toBeLessThan(1_000)
    slow.resume()
    await new Promise((resolve) => slow.once('end', resolve))
    expect(written).toBe(2_000)
  })
})

describe('something wrong on this side', () => {
  it('in the store leaves the request as it came', async () => {
    const whole = createInMemoryStore()
    const broken = new Error('the disk is full of secrets')
    const fail = (): Promise<never> => Promise.reject(broken)
    const store: Store = { ...whole, sessions: { ...whole.sessions, get: fail, create: fail } }
    const { upstream, under } = await stand(answerOk, { store })
    const long = bodyOf(longTalk(50))
    const answer = await post(under.url + MESSAGES, long)
    expect(answer.status).toBe(200)
    expect(upstream.calls[0]?.body.toString()).toBe(long)
    expect(under.lines).toEqual(['gateway: a request to anthropic goes out as it came (Error)'])
  })

  it('after the conversation was found leaves the request as it came', async () => {
    const whole = createInMemoryStore()
    const store: Store = { ...whole, entries: { ...whole.entries, append: () => Promise.reject(new Error('full')) } }
    const { upstream, under } = await stand(answerOk, { store })
    const long = bodyOf(longTalk(50))
    const answer = await post(under.url + MESSAGES, long)
    expect(answer.headers.get('x-longhaul-view')).toBe('verbatim')
    expect(upstream.calls.at(-1)?.body.equals(Buffer.from(long))).toBe(true)
  })

  it('is told where the upstream cannot be reached', async () => {
    const { upstream, under } = await stand()
    await upstream.close()
    expect((await post(under.url + MESSAGES, bodyOf([user('Go.')]))).status).toBe(502)
  })
})

function stream(outgoing: ServerResponse, events: readonly string[]): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  return (async () => {
    for (const event of events) {
      outgoing.write(event)
      await delay(2)
    }
    outgoing.end()
  })()
}

function open(url: string, content: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, resolve)
    sent.on('error', reject)
    sent.end(content)
  })
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isTrue(); tries += 1) await delay(10)
  expect(isTrue()).toBe(true)
}
