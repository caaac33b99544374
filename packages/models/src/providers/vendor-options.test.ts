import { isRecord } from '@longhaul/engine/advanced'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createModels } from '../create-models.ts'
import type { ModelCall } from '../port/model-call.ts'
import { collect, createCall, finishOf, message, READ_TOOL, text } from '../testing/drive-call.ts'
import { startWireServer } from '../testing/wire/start-wire-server.ts'
import type { WireServer } from '../testing/wire/start-wire-server.ts'
import { recordsIn } from '../testing/wire/read-json.ts'
import type { JsonRecord } from '../testing/wire/read-json.ts'
import type { WireRequest } from '../testing/wire/wire-request.ts'
import type { ProviderConfig } from './parse-config.ts'

let server: WireServer | undefined
afterEach(async () => {
  vi.unstubAllEnvs()
  await server?.close()
  server = undefined
})

/** The requests that these calls to one model cause. */
async function send(
  id: string,
  config: ProviderConfig,
  ...calls: readonly ModelCall[]
): Promise<readonly WireRequest[]> {
  server = await startWireServer({ otherwise: { text: 'ok' } })
  const [provider = ''] = id.split('/', 1)
  const models = createModels({
    providers: { [provider]: { apiKey: 'a-key', baseURL: server.baseURL, ...config } },
  })
  for (const call of calls) finishOf(await collect(models.stream(id, call, new AbortController().signal)))
  return server.requests
}

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(300)

function conversation(turns: number): ModelCall {
  const messages = Array.from({ length: turns }, (_, index) => [
    message('user', text(`Question ${index}?`)),
    message('assistant', text(`Answer ${index}.`)),
  ]).flat()
  const request = { system: LONG, messages: [...messages, message('user', text('And now?'))], tools: [READ_TOOL] }
  return { request, maxOutputTokens: 100 }
}

function breakpointsIn(value: unknown): number {
  return JSON.stringify(value).split('"cache_control":{"type":"ephemeral"}').length - 1
}

function withoutBreakpoints(value: unknown): string {
  return JSON.stringify(value).replaceAll(',"cache_control":{"type":"ephemeral"}', '')
}

describe('Anthropic', () => {
  it('cache breakpoints stand after the system prompt and after the last stable message', async () => {
    const [request] = await send('anthropic/claude-sonnet-4-6', {}, conversation(2))
    const { system, messages } = request?.body ?? {}
    expect(breakpointsIn(system)).toBe(1)
    expect(recordsIn(messages).map(breakpointsIn)).toEqual([0, 0, 0, 1, 0])
  })

  it('breakpoints move on; everything else of the prefix is sent byte for byte again', async () => {
    const [first, second] = await send('anthropic/claude-sonnet-4-6', {}, conversation(5), conversation(6))
    for (const key of ['system', 'tools']) {
      expect(withoutBreakpoints(second?.body[key])).toBe(withoutBreakpoints(first?.body[key]))
    }
    const before = recordsIn(first?.body['messages']).slice(0, -1).map(withoutBreakpoints)
    expect(recordsIn(second?.body['messages']).slice(0, before.length).map(withoutBreakpoints)).toEqual(before)
    expect(before).toHaveLength(10)
    expect(breakpointsIn(second?.body)).toBeLessThanOrEqual(4)
  })

  it('a short prompt is not marked at all', async () => {
    const [request] = await send('anthropic/claude-sonnet-4-6', {}, createCall('Hi.'))
    expect(request?.text).not.toContain('cache_control')
  })

  it('of models that bind their thinking, what no longer fits is asked to be dropped; nothing else about thinking is said', async () => {
    const [request] = await send('anthropic/claude-sonnet-5-5', {}, createCall('Hi.'))
    expect(request?.body['thinking']).toEqual({ block_binding: { prefix_mismatch_behavior: 'drop_block' } })
    expect(request?.headers['anthropic-beta']).toContain('thinking-binding-controls')
    await server?.close()
    const [older] = await send('anthropic/claude-opus-4-8', {}, createCall('Hi.'))
    expect(older?.body).not.toHaveProperty('thinking')
  })

  it('servers that only resemble it are not sent the fields of eager tool streaming', async () => {
    const [request] = await send('anthropic/claude-sonnet-4-6', {}, createCall('Hi.'))
    expect(request?.text).toContain('"name":"read"')
    expect(request?.text).not.toContain('eager_input_streaming')
  })
})

describe('OpenAI Responses', () => {
  it('keeps nothing on the server and asks for the reasoning itself', async () => {
    const [request] = await send('openai/gpt-5.4', {}, createCall('Hi.', { cacheKey: `session-${'x'.repeat(80)}` }))
    expect(request?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(String(request?.body['prompt_cache_key'])).toMatch(/^session-x{56}$/)
  })

  it('does not ask models for reasoning that have none: they would refuse', async () => {
    const [request] = await send('openai/gpt-4o', {}, createCall('Hi.'))
    expect(request?.body).toMatchObject({ store: false })
    expect(request?.body).not.toHaveProperty('include')
    expect(request?.body).not.toHaveProperty('prompt_cache_key')
  })

  it('sends whole messages and never a reference to something stored', async () => {
    server = await startWireServer({ replies: [{ reasoning: 'hm', text: 'Yes.' }], otherwise: { text: 'ok' } })
    const models = createModels({ providers: { openai: { apiKey: 'a-key', baseURL: server.baseURL } } })
    const signal = new AbortController().signal
    const { parts } = finishOf(await collect(models.stream('openai/gpt-5.4', createCall('So?'), signal)))
    const next = createCall([
      message('user', text('So?')),
      message('assistant', ...parts),
      message('user', text('Why?')),
    ])
    finishOf(await collect(models.stream('openai/gpt-5.4', next, signal)))
    const input = recordsIn(server.requests[1]?.body['input'])
    expect(input.map(({ type, role }) => type ?? role)).toEqual(['developer', 'user', 'reasoning', 'assistant', 'user'])
    expect(server.requests[1]?.text).not.toContain('item_reference')
  })
})

describe('OpenAI Chat', () => {
  it('is spoken where it is asked for, with usage', async () => {
    const [request] = await send('openai/gpt-4o', { api: 'chat' }, createCall('Hi.', { cacheKey: 'session-1' }))
    expect(request).toMatchObject({
      wire: 'openai-chat',
      body: { stream_options: { include_usage: true }, prompt_cache_key: 'session-1', store: false },
    })
  })
})

describe('OpenAI-compatible servers', () => {
  const local = { type: 'openai-compatible' } as const

  it('are asked for usage and for no tools where there are none', async () => {
    const call = { ...createCall('Hi.'), toolChoice: 'auto' } as const
    const bare = { ...call, request: { ...call.request, tools: [] } }
    const [request] = await send('local/some/model:8b', local, bare)
    expect(request).toMatchObject({ model: 'some/model:8b', body: { stream_options: { include_usage: true } } })
    expect(request?.body).not.toHaveProperty('tools')
    expect(request?.body).not.toHaveProperty('tool_choice')
  })

  it('get the headers of the configuration, and no key where there is none', async () => {
    const [request] = await send(
      'local/m',
      { ...local, apiKey: '', headers: { 'X-Title': 'Longhaul' } },
      createCall('Hi.'),
    )
    expect(request?.headers['x-title']).toBe('Longhaul')
    expect(request?.headers).not.toHaveProperty('authorization')
  })

  it('see one system message, first', async () => {
    const call = createCall([message('system', text('Summary.')), message('user', text('Hi.'))])
    const [request] = await send('local/m', local, call)
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })
})

describe('every vendor', () => {
  it.each([
    ['anthropic/claude-sonnet-4-6', 'https://api.anthropic.com/v1/messages', 'x-api-key', 'key-handed-in'],
    ['openai/gpt-5.4', 'https://api.openai.com/v1/responses', 'authorization', 'Bearer key-handed-in'],
    [
      'google/gemini-4-argon',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-4-argon:streamGenerateContent?alt=sse',
      'x-goog-api-key',
      'key-handed-in',
    ],
  ])(
    '%s is reached at its own address, whatever the environment of the process says',
    async (id, url, header, value) => {
      for (const name of ['ANTHROPIC', 'OPENAI']) vi.stubEnv(`${name}_BASE_URL`, 'http://127.0.0.1:9/elsewhere')
      const seen: { url: string; headers: Headers; body: JsonRecord }[] = []
      const [provider = ''] = id.split('/', 1)
      const models = createModels({
        providers: { [provider]: { apiKey: 'key-handed-in' } },
        fetch: async (input, init) => {
          const body: unknown = JSON.parse(String(init?.body))
          seen.push({ url: String(input), headers: new Headers(init?.headers), body: isRecord(body) ? body : {} })
          return new Response('{}', { status: 400 })
        },
      })
      await collect(models.stream(id, createCall('Hi.'), new AbortController().signal))
      expect(seen.map((request) => request.url)).toEqual([url])
      expect(seen[0]?.headers.get(header)).toBe(value)
      if (provider === 'anthropic') expect(JSON.stringify(seen[0]?.body)).toContain('eager_input_streaming')
    },
  )
})
