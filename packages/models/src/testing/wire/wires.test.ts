import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { afterEach, describe, expect, it } from 'vitest'
import { RECIPES } from '../../providers/recipes.ts'
import { startWireServer } from './start-wire-server.ts'
import type { WireServer, WireServerOptions } from './start-wire-server.ts'
import { WIRE_CASES } from './wire-cases.ts'
import type { WireCase } from './wire-cases.ts'

let server: WireServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Straight to the vendor's package, so that its own schemas judge what the server says. */
async function connect({ provider, model, config }: WireCase, options: WireServerOptions): Promise<LanguageModelV4> {
  server ??= await startWireServer(options)
  const recipe = RECIPES[config.type ?? (provider as keyof typeof RECIPES)]
  const settings = {
    name: provider,
    apiKey: 'key-of-the-test',
    baseURL: server.baseURL,
    headers: {},
    api: config.api ?? ('responses' as const),
  }
  return recipe.connect({ modelName: model, settings, cache: null, fetch: undefined }).model
}

async function ask(
  wireCase: WireCase,
  options: WireServerOptions,
  call: Partial<LanguageModelV4CallOptions> = {},
): Promise<readonly LanguageModelV4StreamPart[]> {
  const model = await connect(wireCase, options)
  const { stream } = await model.doStream({ ...CALL, ...call })
  return Array.fromAsync(stream)
}

const HELLO: LanguageModelV4Prompt = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
]
const CALL = { prompt: HELLO, maxOutputTokens: 500, providerOptions: { openai: { store: false } } }

function pick<T extends LanguageModelV4StreamPart['type']>(parts: readonly LanguageModelV4StreamPart[], type: T) {
  return parts.filter((part): part is Extract<LanguageModelV4StreamPart, { type: T }> => part.type === type)
}

const CHAT_OF_OPENAI: WireCase = { wire: 'openai-chat', provider: 'openai', model: 'gpt-4o', config: { api: 'chat' } }

describe('a window that also holds the answer', () => {
  it.each(WIRE_CASES.filter(({ wire }) => wire === 'anthropic' || wire === 'openai-chat'))(
    'is refused by $wire with both numbers',
    async (wireCase) => {
      const options = { otherwise: { text: 'ok' }, windowTokens: 1_000, windowHoldsOutput: true }
      await expect(ask(wireCase, options, { maxOutputTokens: 990 })).rejects.toMatchObject({
        message: expect.stringMatching(/\b990\b.*1000|1000.*\b990\b/),
      })
      expect(pick(await ask(wireCase, options, { maxOutputTokens: 100 }), 'finish')).toHaveLength(1)
    },
  )
})

describe.each([...WIRE_CASES, CHAT_OF_OPENAI])('$wire by $provider', (wireCase) => {
  it('an answer with reasoning, text and parallel calls satisfies the schemas of the vendor’s package', async () => {
    const parts = await ask(wireCase, {
      replies: [
        {
          reasoning: ['I should ', 'look.'],
          text: ['One ', 'moment.'],
          toolCalls: [
            { name: 'read', input: { path: 'a.txt' } },
            { name: 'read', input: { path: 'b.txt' } },
          ],
          usage: { input: 1000, output: 50, reasoning: 20, cacheRead: 600 },
        },
      ],
    })

    expect(pick(parts, 'error')).toEqual([])
    expect(pick(parts, 'stream-start').flatMap(({ warnings }) => warnings)).toEqual([])
    expect(pick(parts, 'text-delta').map(({ delta }) => delta)).toEqual(expect.arrayContaining(['One ', 'moment.']))
    expect(pick(parts, 'tool-call').map(({ input }) => JSON.parse(input) as unknown)).toEqual([
      { path: 'a.txt' },
      { path: 'b.txt' },
    ])
    const [finish] = pick(parts, 'finish')
    expect(finish?.finishReason.unified).toBe('tool-calls')
    expect(finish?.usage).toMatchObject({
      inputTokens: { total: 1000, cacheRead: 600 },
      outputTokens: { total: 50, reasoning: 20 },
    })
    // Of OpenAI's own Chat endpoint reasoning is never seen.
    const thoughts = wireCase === CHAT_OF_OPENAI ? [] : ['I should ', 'look.']
    expect(
      pick(parts, 'reasoning-delta')
        .map(({ delta }) => delta)
        .filter((delta) => delta !== ''),
    ).toEqual(thoughts)
  })

  it('an answer that is not streamed satisfies them too, and says the same', async () => {
    const model = await connect(wireCase, {
      replies: [
        {
          reasoning: ['I should ', 'look.'],
          text: ['One ', 'moment.'],
          toolCalls: [{ name: 'read', input: { path: 'a.txt' } }],
          usage: { input: 1000, output: 50, reasoning: 20, cacheRead: 600 },
        },
      ],
    })
    const { content, finishReason, usage } = await model.doGenerate(CALL)
    const textOf = (type: 'text' | 'reasoning') =>
      content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
    expect(textOf('text')).toBe('One moment.')
    expect(textOf('reasoning')).toBe(wireCase === CHAT_OF_OPENAI ? '' : 'I should look.')
    expect(content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input)] : []))).toEqual([
      { path: 'a.txt' },
    ])
    expect(finishReason.unified).toBe('tool-calls')
    expect(usage).toMatchObject({ inputTokens: { total: 1000, cacheRead: 600 }, outputTokens: { total: 50 } })
  })

  it.each(['stop', 'length', 'refusal'] as const)('finish %s is understood', async (finish) => {
    const parts = await ask(wireCase, { replies: [{ text: 'so', finish }] })
    const expected = finish === 'refusal' ? 'content-filter' : finish
    expect(pick(parts, 'finish').map(({ finishReason }) => finishReason.unified)).toEqual([expected])
  })

  it('the request is recorded, and read the same way as every other vendor’s', async () => {
    await ask(wireCase, { replies: [(request) => ({ text: `${request.messages.length} messages` })] })
    expect(server?.requests).toHaveLength(1)
    const request = server?.requests[0]
    expect(request).toMatchObject({ wire: wireCase.wire, model: wireCase.model })
    expect(request?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Hello.'],
    ])
    expect(JSON.parse(request?.text ?? '')).toEqual(request?.body)
  })

  it('tokens are counted by characters, and a prompt above the window is refused in the vendor’s words', async () => {
    const options = { otherwise: { text: 'ok' }, windowTokens: 200, charsPerToken: 3 }
    const parts = await ask(wireCase, options)
    const { inputTokens } = server?.requests[0] ?? { inputTokens: 0 }
    expect(inputTokens).toBeGreaterThan(20)
    expect(pick(parts, 'finish')[0]?.usage.inputTokens.total).toBe(inputTokens)

    const long: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(900) }] }]
    await expect(ask(wireCase, options, { prompt: long })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/too long|maximum context length|exceeds the (context window|maximum number)/),
    })
  })

  it('a call without a result and a result without a call are refused', async () => {
    const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Read it.' }] }
    const call = { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'read', input: {} }
    const result = {
      role: 'tool' as const,
      content: [
        {
          type: 'tool-result' as const,
          toolCallId: 'call_1',
          toolName: 'read',
          output: { type: 'text' as const, value: 'text' },
        },
      ],
    }
    const assistant = { role: 'assistant' as const, content: [call] }
    const options = { otherwise: { text: 'ok' } }
    await expect(ask(wireCase, options, { prompt: [user, assistant, user] })).rejects.toMatchObject({ statusCode: 400 })
    await expect(ask(wireCase, options, { prompt: [user, result] })).rejects.toMatchObject({ statusCode: 400 })
    expect(pick(await ask(wireCase, options, { prompt: [user, assistant, result] }), 'error')).toEqual([])
  })

  it('another key is refused as the vendor refuses it', async () => {
    await expect(ask(wireCase, { apiKey: 'the-right-key' })).rejects.toMatchObject({
      statusCode: wireCase.wire === 'google' ? 400 : 401,
    })
  })
})
