import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createAnswer } from './collect-answer.ts'

function collect(...pieces: readonly LanguageModelV4StreamPart[]) {
  const answer = createAnswer('vendor')
  const events = pieces.map((piece) => answer.take(piece)).filter((event) => event !== null)
  return { answer, events }
}

describe('createAnswer', () => {
  it('keeps blocks in the order they began, also where they grow in turn', () => {
    const { answer } = collect(
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'b', delta: '2' },
      { type: 'text-delta', id: 'a', delta: '1' },
      { type: 'text-end', id: 'a' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: '3' },
      { type: 'text-delta', id: 'unannounced', delta: '4' },
    )
    expect(answer.parts()).toEqual(['1', '2', '3', '4'].map((text) => ({ type: 'text', text })))
  })

  it('puts together what the vendor attached to the pieces of a block', () => {
    const { answer, events } = collect(
      {
        type: 'reasoning-start',
        id: '0',
        providerMetadata: { openai: { itemId: 'rs', reasoningEncryptedContent: null } },
      },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.', providerMetadata: { openai: { itemId: 'rs' } } },
      { type: 'reasoning-end', id: '0', providerMetadata: { openai: { reasoningEncryptedContent: 'enc' } } },
    )
    expect(events).toEqual([{ type: 'reasoning-delta', text: 'Hm.' }])
    expect(answer.parts()).toEqual([
      {
        type: 'reasoning',
        text: 'Hm.',
        providerOptions: { openai: { itemId: 'rs', reasoningEncryptedContent: 'enc' } },
      },
    ])
  })

  it('keeps reasoning without words where it carries something, and drops it where not', () => {
    const redacted = { anthropic: { redactedData: 'x' } }
    const { answer, events } = collect(
      { type: 'reasoning-start', id: '0', providerMetadata: redacted },
      { type: 'reasoning-end', id: '0' },
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-end', id: '1' },
      { type: 'text-start', id: '2', providerMetadata: { openai: { itemId: 'msg' } } },
      { type: 'text-end', id: '2' },
    )
    expect(events).toEqual([])
    expect(answer.hasBegun()).toBe(false)
    expect(answer.parts()).toEqual([{ type: 'reasoning', text: '', providerOptions: redacted }])
  })

  it('marks reasoning as the vendor’s own once it is whole', () => {
    const { answer } = collect({ type: 'reasoning-delta', id: '0', delta: 'Hm.' })
    expect(answer.isThinking()).toBe(true)
    expect(answer.parts()).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    answer.complete()
    expect(answer.isThinking()).toBe(false)
    expect(answer.parts()).toEqual([{ type: 'reasoning', text: 'Hm.', providerOptions: { vendor: {} } }])
  })

  it('takes no call that the provider runs itself, and names calls that have no id or one that is no name', () => {
    const call = { type: 'tool-call', toolName: 'read', input: '{"__proto__":1}' } as const
    const { events } = collect(
      { ...call, toolCallId: 'web', providerExecuted: true },
      { ...call, toolCallId: '', providerMetadata: { google: { thoughtSignature: 's' } } },
    )
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      call: { toolCallId: 'call_0', providerOptions: { google: { thoughtSignature: 's' } } },
    })
    expect(JSON.stringify(events[0])).toContain('"input":{"__proto__":1}')
  })

  it('keeps images and files the model made', () => {
    const { answer } = collect(
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: new URL('https://example.com/a.pdf') } },
    )
    expect(answer.parts()).toEqual([
      { type: 'image', image: 'AQID', mediaType: 'image/png' },
      { type: 'file', data: 'https://example.com/a.pdf', mediaType: 'application/pdf' },
    ])
  })

  it('stores nothing that only frames the answer', () => {
    const { answer, events } = collect(
      { type: 'stream-start', warnings: [] },
      { type: 'custom', kind: 'anthropic.message_start', providerMetadata: { anthropic: { id: 'm' } } },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
      { type: 'tool-input-start', id: 't', toolName: 'read' },
    )
    expect([events, answer.parts()]).toEqual([[], []])
  })
})
