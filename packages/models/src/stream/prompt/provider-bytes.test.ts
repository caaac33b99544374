import { isRecord } from '@longhaul/engine/advanced'
import type { JsonObject, Part, SealedMessage, ToolResultPart } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../testing/captured-providers.ts'
import type { CapturedProvider, CapturedRequest } from '../testing/captured-providers.ts'
import { readStream, said } from '../testing/run-stream.ts'
import type { Terminal } from '../testing/run-stream.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const PDF = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')

const tools = [
  {
    name: 'read',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

function call(toolCallId: string, providerOptions?: JsonObject): Part {
  const opaque = providerOptions === undefined ? {} : { providerOptions }
  return { type: 'tool-call', toolCallId, toolName: 'read', input: { path: 'a.txt' }, ...opaque }
}

function result(toolCallId: string, output: ToolResultPart['output'], isError = false): Part {
  return { type: 'tool-result', toolCallId, toolName: 'read', output, ...(isError ? { isError } : {}) }
}

const image = { type: 'image', image: PNG, mediaType: 'image/png' } as const

/** Tools, parallel calls, images, files, an error, and reasoning of every vendor. */
const conversation: readonly SealedMessage[] = [
  said('user', 'What is in these?', image, {
    type: 'file',
    data: PDF,
    mediaType: 'application/pdf',
    filename: 'a.pdf',
  }),
  said(
    'assistant',
    { type: 'reasoning', text: 'anthropic thought', providerOptions: { anthropic: { signature: 'sig-anthropic' } } },
    {
      type: 'reasoning',
      text: 'openai thought',
      providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'enc-openai' } },
    },
    { type: 'reasoning', text: 'google thought', providerOptions: { google: { thoughtSignature: 'sig-google' } } },
    { type: 'reasoning', text: 'server thought', providerOptions: { 'my-server': {} } },
    { type: 'reasoning', text: 'nobody knows' },
    'I look.',
    call('c1', { google: { thoughtSignature: 'sig-call' }, openai: { itemId: 'fc_1' } }),
    call('c2'),
  ),
  said(
    'tool',
    result('c1', [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }]),
    result('c2', 'no such file', true),
  ),
  said('assistant', call('c3')),
  said('tool', result('c3', [image])),
  said('assistant', 'A picture.', image),
  said('user', 'And this?', {
    type: 'file',
    data: Buffer.from('a,b').toString('base64'),
    mediaType: 'text/csv',
    filename: 'x.csv',
  }),
]

async function send(
  provider: CapturedProvider,
  messages: readonly SealedMessage[],
  system: string | null = 'Be brief.',
) {
  const { dialect, prepare, model } = provider
  const { last } = await readStream(model, { dialect, prepare, call: { request: { system, messages, tools } } })
  const request = provider.requests.at(-1)
  if (request === undefined) throw new Error(last.type === 'failure' ? last.failure.message : 'nothing was sent')
  return { last, request }
}

function messagesOf({ messagesKey }: CapturedProvider, { body }: CapturedRequest): readonly unknown[] {
  const messages = body[messagesKey]
  return Array.isArray(messages) ? messages : []
}

function expectValid(provider: CapturedProvider, { body }: CapturedRequest, last: Terminal): void {
  expect(provider.wire.findInvalid(body, provider.wire.readMessages(body))).toBeNull()
  expect(last.type).toBe('finish')
}

/** What a prompt cache looks at: everything before the messages, then the messages. */
function expectSamePrefix(provider: CapturedProvider, before: CapturedRequest, after: CapturedRequest): void {
  const open = (request: CapturedRequest): string => JSON.stringify(messagesOf(provider, request)).slice(0, -1)
  expect(open(after).startsWith(open(before))).toBe(true)
  const around = ({ body }: CapturedRequest): unknown => ({ ...body, [provider.messagesKey]: [] })
  expect(around(after)).toEqual(around(before))
}

describe.each(PROVIDERS.map((create) => [create().name, create] as const))('%s', (name, create) => {
  it('takes a conversation with tools, images, files, errors and reasoning', async () => {
    const provider = create()
    const { request, last } = await send(provider, conversation)
    expectValid(provider, request, last)
    for (const words of [
      'What is in these?',
      'I look.',
      'one',
      'two',
      'no such file',
      'And this?',
      'a,b',
      'Be brief.',
    ]) {
      expect(request.text).toContain(words)
    }
    expect(request.text).toContain(PNG)
  })

  it('gets its own reasoning back and nobody else’s', async () => {
    const { request } = await send(create(), conversation)
    const own: Record<string, readonly string[]> = {
      Anthropic: ['anthropic thought', 'sig-anthropic'],
      'OpenAI Responses': ['openai thought', 'enc-openai', 'rs_1'],
      'OpenAI Chat': [],
      'Gemini 2.5': ['google thought', 'sig-google', 'sig-call'],
      'Gemini 3': ['google thought', 'sig-google', 'sig-call'],
      compatible: ['server thought'],
    }
    const all = [...Object.values(own).flat(), 'nobody knows']
    const sent = all.filter((words) => request.text.includes(words))
    expect(new Set(sent)).toEqual(new Set(own[name]))
  })

  it('is sent the same bytes again, whatever follows', async () => {
    const provider = create()
    const requests: CapturedRequest[] = []
    // Each step of the conversation that ends with something to answer.
    for (const length of [1, 3, 5, 7]) requests.push((await send(provider, conversation.slice(0, length))).request)
    for (const [index, request] of requests.entries())
      expectSamePrefix(provider, requests[index - 1] ?? request, request)
    expect(new Set(requests.map(({ text }) => text)).size).toBe(requests.length)
  })

  it('gets back what it sent: reasoning with its signature, text, parallel calls', async () => {
    const provider = create()
    provider.answer({
      reasoning: ['Two files, ', 'so two calls.'],
      signature: 'opaque-bytes',
      text: ['I read ', 'both.'],
      toolCalls: [
        { id: 'call-1', name: 'read', input: { path: 'a' } },
        { id: 'call-2', name: 'read', input: { path: 'b' } },
      ],
    })
    const opening = [said('user', 'Read both.')]
    const first = await send(provider, opening)
    expect(first.last).toMatchObject({ type: 'finish', finish: 'tool-calls' })
    const ids = first.last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    const answered = [...opening, { role: 'assistant', parts: first.last.parts } as const]
    const second = await send(provider, [...answered, said('tool', ...ids.map((id) => result(id, `content of ${id}`)))])
    expectValid(provider, second.request, second.last)
    expectSamePrefix(provider, first.request, second.request)
    expect(second.request.text).toContain('I read both.')
    const thinks = name !== 'OpenAI Chat'
    if (thinks) expect(second.request.text).toContain('Two files, so two calls.')
    if (thinks && name !== 'compatible') expect(second.request.text).toContain('opaque-bytes')
  })

  it('reads no address: it passes one on or names it', async () => {
    const provider = create()
    const address = 'https://example.com/cat.png'
    const { request, last } = await send(provider, [
      said('user', 'Look.', { type: 'image', image: address }),
      said('assistant', call('c1')),
      said('tool', result('c1', [{ type: 'image', image: address }])),
    ])
    expectValid(provider, request, last)
    expect(provider.requests).toHaveLength(1)
    expect(request.text).toContain(address)
  })

  it('takes a summary as a second system message, and an instruction in the middle', async () => {
    const provider = create()
    const { request, last } = await send(provider, [
      said('system', '[Session compacted. Summary: they talked.]'),
      said('user', 'Hello.'),
      said('assistant', 'Hello!'),
      said('system', 'Answer in verse.'),
      said('user', 'Go on.'),
    ])
    expectValid(provider, request, last)
    for (const words of ['Be brief.', '[Session compacted.', 'Answer in verse.']) expect(request.text).toContain(words)
    if (name === 'compatible')
      expect(messagesOf(provider, request)[0]).toMatchObject({ content: expect.stringMatching(/^Be brief[^]*talked/) })
  })

  it('takes whatever a conversation holds', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryConversation, async (messages) => {
        const provider = create()
        const shorter = messages.slice(0, lastAsk(messages.slice(0, -1)) + 1)
        const before = shorter.length === 0 ? null : (await send(provider, shorter)).request
        const { request, last } = await send(provider, messages)
        expectValid(provider, request, last)
        if (before !== null) expectSamePrefix(provider, before, request)
      }),
      { numRuns: 60 },
    )
  })
})

function lastAsk(messages: readonly SealedMessage[]): number {
  return messages.findLastIndex(({ role }) => role === 'user' || role === 'tool')
}

const words = fc.oneof(fc.constantFrom('', ' ', 'hello', '{"a":1}'), fc.string({ maxLength: 20 }))
const namespaces = fc.constantFrom('anthropic', 'openai', 'google', 'my-server', 'another')
const options: fc.Arbitrary<JsonObject> = fc.dictionary(
  namespaces,
  fc.constantFrom({ signature: 's' }, { thoughtSignature: 's' }, { itemId: 'i', reasoningEncryptedContent: 'e' }, {}),
  { maxKeys: 2 },
)
const text = fc.record({ type: fc.constant('text' as const), text: words })
const media = fc.oneof(
  fc.record({
    type: fc.constant('image' as const),
    image: fc.oneof(
      fc.constantFrom(
        PNG,
        `data:image/png;base64,${PNG}`,
        'https://example.com/a',
        'file:///a.png',
        'aGVsbG8=',
        '',
        PDF,
      ),
      words,
    ),
    mediaType: fc.constantFrom('image/png', 'image/jpg', 'image/svg+xml', 'image/*', 'nonsense', ''),
  }),
  fc.record({
    type: fc.constant('file' as const),
    data: fc.oneof(fc.constantFrom(PDF, PNG, 'aGVsbG8=', 'data:text/plain,hello', 'gs://bucket/a.pdf'), words),
    mediaType: fc.constantFrom(
      'application/pdf',
      'text/plain',
      'text/csv',
      'audio/wav',
      'application/zip',
      'video/mp4',
    ),
  }),
)
const thought = fc.record({ type: fc.constant('reasoning' as const), text: words, providerOptions: options })
const outputs = fc.oneof(words, fc.array(fc.oneof(text, media), { maxLength: 3 }))

/** As the seal leaves it: starts with the user, pairs complete, ends with something to answer. */
const arbitraryConversation: fc.Arbitrary<readonly SealedMessage[]> = fc
  .array(
    fc.record({
      ask: fc.array(fc.oneof(text, media), { minLength: 1, maxLength: 3 }),
      answer: fc.array(fc.oneof(text, thought, media), { minLength: 1, maxLength: 3 }),
      results: fc.array(fc.tuple(outputs, fc.boolean()), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((turns) => [
    ...turns.flatMap(({ ask, answer, results }, turn): SealedMessage[] => {
      const ids = results.map((_, index) => `call_${turn}_${index}`)
      const asked = said('user', ...ask)
      if (results.length === 0) return [asked, said('assistant', ...answer)]
      return [
        asked,
        said('assistant', ...answer, ...ids.map((id) => call(id))),
        said('tool', ...results.map(([output, isError], index) => result(ids[index] ?? '', output, isError))),
        said('assistant', ...answer),
      ]
    }),
    said('user', 'And then?'),
  ])

describe('shapes', () => {
  const create = (wanted: string): CapturedProvider => {
    const found = PROVIDERS.map((make) => make()).find(({ name }) => name === wanted)
    if (found === undefined) throw new Error(wanted)
    return found
  }

  it('Anthropic gets one block each, images inside their results, errors marked', async () => {
    const provider = create('Anthropic')
    const { request } = await send(provider, conversation)
    expect(request.body['system']).toEqual([{ type: 'text', text: 'Be brief.' }])
    expect(messagesOf(provider, request)[2]).toEqual({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [
            { type: 'text', text: 'one\ntwo' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        { type: 'tool_result', tool_use_id: 'c2', content: 'no such file', is_error: true },
      ],
    })
    expect(messagesOf(provider, request)[4]).toMatchObject({
      content: [{ tool_use_id: 'c3', content: [{ text: '[The result is attached.]' }, { type: 'image' }] }],
    })
    expect(messagesOf(provider, request)[1]).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'anthropic thought', signature: 'sig-anthropic' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'c1', input: { path: 'a.txt' } },
        { type: 'tool_use', id: 'c2' },
      ],
    })
  })

  it('OpenAI is sent whole items, never references to what it may have stored', async () => {
    const { request } = await send(create('OpenAI Responses'), conversation)
    expect(request.text).not.toContain('item_reference')
    expect(request.body['store']).toBe(false)
  })

  it.each(['OpenAI Chat', 'compatible'])('%s never gets an image as text', async (name) => {
    const provider = create(name)
    const { request } = await send(provider, conversation)
    const results = messagesOf(provider, request).filter((message) => isRecord(message) && message['role'] === 'tool')
    expect(results).toMatchObject([
      { tool_call_id: 'c1', content: 'one\ntwo\n[The rest of the result is attached below the tool results.]' },
      { tool_call_id: 'c2' },
      { tool_call_id: 'c3', content: '[The rest of the result is attached below the tool results.]' },
    ])
    expect(JSON.stringify(results)).not.toContain(PNG)
  })

  it('Gemini gets one response for each call, also where the result is an image alone', async () => {
    const provider = create('Gemini 2.5')
    const { request } = await send(provider, conversation)
    const responses = JSON.stringify(messagesOf(provider, request)).match(/"functionResponse"/g)
    expect(responses).toHaveLength(3)
  })
})
