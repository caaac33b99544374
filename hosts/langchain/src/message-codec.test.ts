import { AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { BaseMessage, MessageContent } from '@langchain/core/messages'
import { createMirror } from '@longhaul/engine'
import type { Part } from '@longhaul/engine'
import { expect, it } from 'vitest'
import { messageCodec } from './message-codec.ts'

const about = { at: 0 }
const content = (blocks: readonly object[]): MessageContent => blocks as MessageContent
const partsOf = (message: BaseMessage): readonly Part[] => messageCodec.read(message)?.parts ?? []

const claude = new AIMessage({
  id: 'msg_1',
  content: content([
    { type: 'thinking', thinking: 'Look first.', signature: 'sig' },
    { type: 'redacted_thinking', data: 'xxxx' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'call_1', name: 'write', input: { path: 'a.md', text: 'long' } },
  ]),
  tool_calls: [{ id: 'call_1', name: 'write', args: { path: 'a.md', text: 'long' }, type: 'tool_call' }],
})
Object.assign(claude, { usage_metadata: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } })
const responses = new AIMessage({
  content: content([{ type: 'text', text: 'I look.', annotations: [] }]),
  tool_calls: [{ id: 'call_2', name: 'read', args: { path: 'a.md' } }],
  additional_kwargs: { reasoning: { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] } },
  response_metadata: { model_provider: 'openai', output: [{ type: 'reasoning', id: 'rs_1' }] },
})

it('reads what models say: thoughts, words and calls, each once', () => {
  expect(partsOf(claude)).toEqual([
    { type: 'reasoning', text: 'Look first.' },
    { type: 'reasoning', text: 'xxxx' },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'write', input: { path: 'a.md', text: 'long' } },
  ])
  expect(partsOf(responses)).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolCallId: 'call_2', toolName: 'read', input: { path: 'a.md' } },
  ])
})

it('reads pictures and files in the formats of several providers', () => {
  const message = new HumanMessage({
    content: content([
      { type: 'text', text: 'See.' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source_type: 'base64', mime_type: 'image/jpeg', data: 'BBBB' },
      { type: 'image', mimeType: 'image/png', data: new Uint8Array([0, 0, 0]) },
      { type: 'file', source_type: 'base64', mime_type: 'application/pdf', data: 'CCCC' },
      { type: 'weather', sky: 'grey' },
    ]),
  })
  expect(partsOf(message)).toEqual([
    { type: 'text', text: 'See.' },
    { type: 'image', image: 'https://example.com/a.png', mediaType: 'image' },
    { type: 'image', image: 'AAAA', mediaType: 'image/png' },
    { type: 'image', image: 'BBBB', mediaType: 'image/jpeg' },
    { type: 'image', image: 'AAAA', mediaType: 'image/png' },
    { type: 'file', data: 'CCCC', mediaType: 'application/pdf' },
    { type: 'text', text: '{"type":"weather","sky":"grey"}' },
  ])
})

it('a call that could not be parsed counts as words, and marks are not part of the conversation', () => {
  const broken = new AIMessage({ content: '', invalid_tool_calls: [{ name: 'read', args: '{"pa', id: 'c' }] })
  expect(partsOf(broken)).toEqual([{ type: 'text', text: 'read({"pa)' }])
  expect(messageCodec.read(new RemoveMessage({ id: 'x' }))).toBeNull()
  expect(messageCodec.read(new AIMessage(''))).toBeNull()
  expect(messageCodec.read(new SystemMessage('Be kind.'))?.role).toBe('system')
})

it('shortens a call in both places where models read it, and keeps thoughts with their signatures', () => {
  const parts = partsOf(claude).map((part) =>
    part.type === 'tool-call' ? { ...part, input: { path: 'a.md', text: '…' } } : part,
  )
  const written = messageCodec.write({ role: 'assistant', parts }, claude, about) as AIMessage
  expect(written.tool_calls?.[0]).toMatchObject({ id: 'call_1', args: { text: '…' }, type: 'tool_call' })
  expect(written.content).toEqual([
    { type: 'thinking', thinking: 'Look first.', signature: 'sig' },
    { type: 'redacted_thinking', data: 'xxxx' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'call_1', name: 'write', input: { path: 'a.md', text: '…' } },
  ])
  expect(written).toMatchObject({ id: 'msg_1', usage_metadata: { input_tokens: 10 } })
  expect(claude.tool_calls?.[0]?.args['text']).toBe('long')
})

it('a thought that is left out leaves every place, and no raw answer of the provider stays behind', () => {
  const parts = partsOf(responses).filter(({ type }) => type !== 'reasoning')
  const written = messageCodec.write({ role: 'assistant', parts }, responses, about)
  expect(written.additional_kwargs).not.toHaveProperty('reasoning')
  expect(written.response_metadata).toEqual({ model_provider: 'openai' })
  expect(written.content).toEqual([{ type: 'text', text: 'I look.', annotations: [] }])
})

it('a shortened result keeps its call, its status and what the app stored beside it', () => {
  const original = new ToolMessage({
    content: talk(10),
    tool_call_id: 'call_1',
    name: 'read',
    status: 'error',
    artifact: { rows: 3 },
    id: 'tool-1',
  })
  const [part] = partsOf(original)
  expect(part).toMatchObject({ type: 'tool-result', toolCallId: 'call_1', toolName: 'read', isError: true })
  const shorter = { ...part, output: 'cut' } as Part
  const written = messageCodec.write({ role: 'tool', parts: [shorter] }, original, about)
  expect(written).toMatchObject({ content: 'cut', status: 'error', artifact: { rows: 3 }, id: 'tool-1', name: 'read' })
})

it('what does not fit even alone is written anew, one message for each result', async () => {
  const mirror = createMirror<BaseMessage>({ codec: messageCodec, windowTokens: 4_000 })
  const ids = ['a', 'b', 'c']
  const calls = ids.map((id) => ({ id, name: 'read', args: { path: id } }))
  const list = [
    new HumanMessage('Read three files.'),
    new AIMessage({ content: '', tool_calls: calls }),
    ...ids.map((id) => new ToolMessage({ content: talk(300), tool_call_id: id, name: 'read' })),
  ]
  const sent = await mirror.sync(list)
  expect(sent).not.toContain(list[4])
  const results = sent.filter((message) => ToolMessage.isInstance(message))
  const called = sent.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
  expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(called.map(({ id }) => id))
})

function talk(lines: number): string {
  return 'The soil is dry and wants some water.\n'.repeat(lines)
}
