import { expect, it } from 'vitest'
import { promptCodec } from './prompt-codec.ts'
import type { PromptMessage } from './prompt-codec.ts'

const mastra = (createdAt: number) => ({ mastra: { createdAt } })
const signed = { anthropic: { signature: 'opaque' } }

const answer: PromptMessage = {
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'Look first.', providerOptions: signed },
    { type: 'text', text: 'I look.', providerOptions: mastra(1) },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.md' } },
  ],
}
const result: PromptMessage = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'a text' } }],
}

it('reads every kind of message', () => {
  expect(promptCodec.read({ role: 'system', content: 'Be good.' })).toEqual({
    role: 'system',
    parts: [{ type: 'text', text: 'Be good.' }],
  })
  expect(promptCodec.read(answer)?.parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call'])
  expect(promptCodec.read(result)?.parts).toMatchObject([{ type: 'tool-result', toolCallId: 'c1', output: 'a text' }])
  const failed = { ...result.content[0], output: { type: 'error-json', value: { code: 5 } } }
  expect(promptCodec.read({ role: 'tool', content: [failed] } as PromptMessage)?.parts).toMatchObject([
    { output: '{"code":5}', isError: true },
  ])
})

it('reads images and files as bytes, as text and as newer models take them', () => {
  const bytes = new Uint8Array([1, 2, 3])
  for (const data of [bytes, 'AQID', { type: 'data', data: bytes }]) {
    const image = { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] } as PromptMessage
    expect(promptCodec.read(image)?.parts).toMatchObject([{ type: 'image', image: 'AQID', mediaType: 'image/png' }])
  }
  const url = { type: 'url', url: new URL('https://example.com/a.pdf') }
  const file = { role: 'user', content: [{ type: 'file', mediaType: 'application/pdf', data: url }] } as never
  expect(promptCodec.read(file)?.parts).toMatchObject([{ type: 'file', data: 'https://example.com/a.pdf' }])
  const value = [
    { type: 'text', text: 'See:' },
    { type: 'media', mediaType: 'image/png', data: 'AQID' },
  ]
  const shown = { ...result.content[0], output: { type: 'content', value } }
  expect(promptCodec.read({ role: 'tool', content: [shown] } as PromptMessage)?.parts).toMatchObject([
    { output: [{ type: 'text' }, { type: 'image', image: 'AQID' }] },
  ])
})

it('writes changed messages with the prompt’s own parts, which carry signatures', () => {
  const parts = (promptCodec.read(answer)?.parts ?? []).filter(({ type }) => type !== 'text')
  const written = promptCodec.write({ role: 'assistant', parts }, answer, { at: 0 })
  expect(written.content[0]).toBe(answer.content[0])
  expect(written.content[1]).toBe(answer.content[2])
  const cut = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: '[cut]' } as const
  expect(promptCodec.write({ role: 'tool', parts: [cut] }, result, { at: 0 })).toEqual({
    role: 'tool',
    content: [{ ...cut, output: { type: 'text', value: '[cut]' } }],
  })
  const summary = { role: 'user', parts: [{ type: 'text', text: 'A summary' }] } as const
  expect(promptCodec.write(summary, null, { at: 0 })).toEqual({ role: 'user', content: summary.parts })
})
