import { describe, expect, it } from 'vitest'
import { messageCodec } from './message-codec.ts'
import type { PiBlock } from '@longhaul/store/host'
import type { OpenClawMessage } from './openclaw-api.ts'

const USAGE = { input: 4_104, output: 15, cacheRead: 0, cacheWrite: 0 }
const thinking: PiBlock = { type: 'thinking', thinking: 'A file.', thinkingSignature: 'opaque' }
const call: PiBlock = { type: 'toolCall', id: 'call_13_0', name: 'read', arguments: { path: 'notes/a.md' } }
const answer = {
  role: 'assistant',
  content: [thinking, { type: 'text', text: 'I look.' }, call],
  api: 'openai-completions',
  provider: 'fake',
  model: 'fake-model',
  usage: USAGE,
  stopReason: 'toolUse',
  timestamp: 1_795_033_562_847,
  responseId: 'chatcmpl-2',
} as const
const result: OpenClawMessage = {
  role: 'toolResult',
  toolCallId: 'call_13_0',
  toolName: 'read',
  content: [{ type: 'text', text: 'hello file' }],
  isError: false,
  timestamp: 1_795_033_562_929,
}
const image: PiBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' }

describe('OpenClaw’s messages', () => {
  it.each<[string, OpenClawMessage]>([
    ['a user’s text', { role: 'user', content: 'Hello', timestamp: 1 }],
    ['a user’s text with an image', { role: 'user', content: [{ type: 'text', text: 'Look' }, image], timestamp: 1 }],
    ['an answer with reasoning and a call', answer],
    ['a result', result],
    ['a result with an image', { ...result, content: [{ type: 'text', text: 'A picture:' }, image] }],
  ])('%s is the same when it is written as it was read', (_name, message) => {
    const read = messageCodec.read(message)
    const written = messageCodec.write(read as NonNullable<typeof read>, message, { at: 0 })
    expect(messageCodec.read(written)).toEqual(read)
    expect(written.timestamp).toBe(message.timestamp)
    if (Array.isArray(message.content))
      message.content.forEach((block, index) => expect(written.content?.[index]).toBe(block))
  })

  it('an answer that is written with shorter input keeps its signature, its bill and its own call id', () => {
    const read = messageCodec.read(answer)
    const parts = (read?.parts ?? []).map((part) => (part.type === 'tool-call' ? { ...part, input: {} } : part))
    const written = messageCodec.write({ role: 'assistant', parts }, answer, { at: 0 })
    expect(written).toEqual({ ...answer, content: [thinking, answer.content[1], { ...call, arguments: {} }] })
    expect((written.content as readonly PiBlock[])[0]).toBe(thinking)
  })

  it('a shortened result keeps the id under which OpenClaw knows its call', () => {
    const parts = [{ type: 'tool-result', toolCallId: 'call130', toolName: 'read', output: '[cleared]' } as const]
    const written = messageCodec.write({ role: 'tool', parts }, result, { at: 0 })
    expect(written).toEqual({ ...result, content: [{ type: 'text', text: '[cleared]' }] })
  })

  it('a call is the same one before and after OpenClaw takes marks out of its id', () => {
    const later = { ...answer, content: [thinking, answer.content[1], { ...call, id: 'call130' }] }
    expect(messageCodec.read(later)).toEqual(messageCodec.read(answer))
    expect(messageCodec.read({ ...result, toolCallId: 'call130' })).toEqual(messageCodec.read(result))
  })

  it('a summary is a message of the user with its own time', () => {
    const written = messageCodec.write({ role: 'user', parts: [{ type: 'text', text: 'So far: …' }] }, null, { at: 7 })
    expect(written).toEqual({ role: 'user', content: [{ type: 'text', text: 'So far: …' }], timestamp: 7 })
  })

  it('an answer of which OpenClaw no longer has the original goes without reasoning that nobody signed', () => {
    const read = messageCodec.read(answer)
    const written = messageCodec.write(read as NonNullable<typeof read>, null, { at: 7 })
    expect((written.content as readonly PiBlock[]).map(({ type }) => type)).toEqual(['text', 'toolCall'])
  })

  it('earlier summaries and commands are part of the conversation; what OpenClaw does not send is not', () => {
    expect(messageCodec.read({ role: 'compactionSummary', summary: 'Before.' })?.parts).toEqual([
      { type: 'text', text: 'The conversation before this point was compacted.\n\nBefore.' },
    ])
    expect(messageCodec.read({ role: 'custom', content: 'A note.' })?.role).toBe('user')
    expect(messageCodec.read({ role: 'bashExecution', command: 'ls', output: 'a.md' })?.role).toBe('user')
    expect(messageCodec.read({ role: 'custom', content: 'Shown only.', excludeFromContext: true })).toBeNull()
    expect(messageCodec.read({ role: 'user', content: 'Runtime facts', runtimeContextCarrier: true })).toBeNull()
    expect(messageCodec.read({ role: 'assistant', content: [], stopReason: 'error' })).toBeNull()
    expect(messageCodec.read({ role: 'something new' })).toBeNull()
  })
})
