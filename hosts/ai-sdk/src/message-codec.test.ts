import { convertToLanguageModelPrompt } from 'ai/internal'
import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { isWritten, messageCodec } from './message-codec.ts'

const read = (message: ModelMessage) => messageCodec.read(message)
const write = (...given: Parameters<typeof messageCodec.write>) => messageCodec.write(...given)
const bytes = new Uint8Array([1, 2, 3])

const signed = { type: 'reasoning', text: 'Look first.', providerOptions: { anthropic: { signature: 's1' } } } as const
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { page: 1 } } as const
const answer: ModelMessage = {
  role: 'assistant',
  content: [
    signed,
    { type: 'text', text: 'I look.' },
    call,
    { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
  ],
}

function result(output: unknown): ModelMessage {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }],
  } as ModelMessage
}

describe('reading', () => {
  it('takes a bare string and a text part as the same', () => {
    expect(read({ role: 'user', content: 'Hello' })).toEqual({ role: 'user', parts: [{ type: 'text', text: 'Hello' }] })
    expect(read({ role: 'user', content: [{ type: 'text', text: 'Hello' }] })).toEqual(
      read({ role: 'user', content: 'Hello' }),
    )
  })

  it('leaves marks out, and whole messages of nothing else', () => {
    expect(read(answer)?.parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call'])
    const approval = { type: 'tool-approval-response', approvalId: 'a1', approved: true } as const
    expect(read({ role: 'tool', content: [approval] })).toBeNull()
  })

  it.each([
    ['a text', { type: 'text', value: 'Page 1' }, 'Page 1', undefined],
    ['JSON', { type: 'json', value: { page: 1 } }, '{"page":1}', undefined],
    ['an error', { type: 'error-text', value: 'No such page' }, 'No such page', true],
    ['an error in JSON', { type: 'error-json', value: { code: 4 } }, '{"code":4}', true],
    ['a denial', { type: 'execution-denied', reason: 'Not now.' }, 'Not now.', true],
    ['a denial without a reason', { type: 'execution-denied' }, 'The call was denied.', true],
  ])('reads %s as the result of a tool', (_, output, text, isError) => {
    expect(read(result(output))?.parts[0]).toEqual({
      type: 'tool-result',
      toolCallId: 'c1',
      toolName: 'read',
      output: text,
      ...(isError === undefined ? {} : { isError }),
    })
  })

  it('reads pictures and files, wherever they stand and however their data is written', () => {
    const url = new URL('https://example.com/bed.png')
    const content = [
      { type: 'image', image: bytes },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      { type: 'file', mediaType: 'image', data: url },
      { type: 'file', mediaType: 'application/pdf', data: bytes.buffer, filename: 'plan.pdf' },
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'The plan.' } },
    ] as const
    const parts = [
      { type: 'image', image: 'AQID', mediaType: 'image' },
      { type: 'image', image: 'AQID', mediaType: 'image/png' },
      { type: 'image', image: url.href, mediaType: 'image' },
      { type: 'file', data: 'AQID', mediaType: 'application/pdf', filename: 'plan.pdf' },
      { type: 'file', data: 'The plan.', mediaType: 'text/plain' },
    ]
    expect(read({ role: 'user', content: [...content] })?.parts).toEqual(parts)
    const inResult = [{ type: 'text', text: 'Look:' }, ...content.slice(1)]
    expect(read(result({ type: 'content', value: inResult }))?.parts).toMatchObject([
      { output: [{ type: 'text', text: 'Look:' }, ...parts.slice(1)] },
    ])
  })

  it('reads a tool that ran at the provider’s as words: call and result are never apart', () => {
    const search = {
      type: 'tool-call',
      toolCallId: 's1',
      toolName: 'web_search',
      input: { q: 'frost' },
      providerExecuted: true,
    } as const
    const found = {
      type: 'tool-result',
      toolCallId: 's1',
      toolName: 'web_search',
      output: { type: 'json', value: ['ice'] },
    } as const
    const parts = read({ role: 'assistant', content: [search, found] })?.parts ?? []
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text'])
    expect(JSON.stringify(parts)).toContain('frost')
    expect(JSON.stringify(parts)).toContain('ice')
  })
})

describe('writing', () => {
  it('keeps the app’s own parts and marks where another part of the message is left out', () => {
    const { parts } = read(answer) ?? { parts: [] }
    const written = write({ role: 'assistant', parts: parts.slice(1) }, answer, { at: 0 })
    expect(written.content).toEqual(answer.content.slice(1))
    expect((written.content as readonly object[])[1]).toBe(call)
    expect(isWritten(written)).toBe(true)
    expect(isWritten(answer)).toBe(false)
  })

  it('sends an answer of OpenAI in full where its thoughts are left out: its stored items refer to them', () => {
    const stored = (itemId: string) => ({ providerOptions: { openai: { itemId, phase: 'final' } } })
    const thought = { type: 'reasoning', text: '', ...stored('rs_1') } as const
    const own: ModelMessage = { role: 'assistant', content: [thought, { ...call, ...stored('fc_1') }] }
    const { parts } = read(own) ?? { parts: [] }
    const written = write({ role: 'assistant', parts: parts.slice(1) }, own, { at: 0 })
    expect(written.content).toEqual([{ ...call, providerOptions: { openai: { phase: 'final' } } }])
    expect(write({ role: 'assistant', parts }, own, { at: 0 }).content).toEqual(own.content)
  })

  it('keeps cache marks of a message whose result is shortened', () => {
    const cached = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
    const long = { ...result({ type: 'json', value: { text: 'Page 1 …' } }), ...cached } as ModelMessage
    const short = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: '[cleared]' } as const
    expect(write({ role: 'tool', parts: [short] }, long, { at: 0 })).toEqual({
      ...result({ type: 'text', value: '[cleared]' }),
      ...cached,
    })
  })

  it('writes what the AI SDK takes, and what a prompt can hold as it is', async () => {
    const parts = [
      { type: 'text', text: 'A summary.' },
      { type: 'image', image: 'data:image/png;base64,AQID', mediaType: 'image/png' },
      { type: 'image', image: 'https://example.com/bed.png' },
      { type: 'file', data: 'AQID', mediaType: 'application/pdf', filename: 'plan.pdf' },
    ] as const
    const failed = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: 'Broken', isError: true } as const
    const pictured = { ...failed, output: [parts[0], parts[1]], isError: false } as const
    const { type, toolCallId, toolName, input } = call
    const messages = [
      write({ role: 'user', parts }, null, { at: 0 }),
      write({ role: 'assistant', parts: [signed, { type, toolCallId, toolName, input }] }, null, { at: 0 }),
      write({ role: 'tool', parts: [failed] }, null, { at: 0 }),
      write({ role: 'user', parts: [parts[0]] }, null, { at: 0 }),
    ]
    const prompt = await convertToLanguageModelPrompt({
      prompt: { instructions: undefined, messages },
      supportedUrls: { 'image/*': [/^https:/] },
      download: undefined,
    })
    expect(JSON.parse(JSON.stringify(prompt))).toEqual(JSON.parse(JSON.stringify(messages)))
    expect(write({ role: 'tool', parts: [pictured] }, null, { at: 0 })).toMatchObject({
      content: [
        {
          output: {
            type: 'content',
            value: [{ type: 'text' }, { type: 'file', data: { type: 'data', data: 'AQID' } }],
          },
        },
      ],
    })
  })

  it('a message of a prompt and the app’s own are read alike', async () => {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: bytes },
          { type: 'text', text: 'This?' },
        ],
      },
      answer,
      result({ type: 'json', value: { page: 1 } }),
    ]
    const prompt = await convertToLanguageModelPrompt({
      prompt: { instructions: undefined, messages },
      supportedUrls: {},
      download: undefined,
    })
    expect(prompt.map((message) => read(message as ModelMessage))).toEqual(messages.map((message) => read(message)))
  })
})
