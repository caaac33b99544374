import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import type { SealedMessage } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../port/model-call.ts'
import { markBreakpoints } from './anthropic-breakpoints.ts'

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
const TOOL = { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } } as const

interface Sent {
  readonly system?: string
  readonly messages: readonly LanguageModelV4Message[]
  readonly tools?: ModelCall['request']['tools']
  readonly stableMessages?: number
  readonly minPrefixTokens?: number
}

/** Which messages of the prompt, and whether the last tool, carry a breakpoint. */
function marksOf({ system, messages, tools = [], stableMessages, minPrefixTokens = 1_024 }: Sent) {
  const sealed = messages.map(({ role, content }): SealedMessage => {
    const text = typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join()
    return { role, parts: [{ type: 'text', text }] }
  })
  const options: LanguageModelV4CallOptions = {
    prompt: [...(system === undefined ? [] : [{ role: 'system' as const, content: system }]), ...messages],
    tools: tools.map((tool) => ({ type: 'function', ...tool, inputSchema: { type: 'object' } })),
  }
  const marked = markBreakpoints(options, {
    request: { system: system ?? null, messages: sealed, tools },
    stableMessages,
    cache: { kind: 'explicit', ttlMs: 300_000, minPrefixTokens },
  })
  return {
    prompt: marked.prompt.flatMap((message, index) => (hasMark(message) ? [index] : [])),
    lastTool: hasMark(marked.tools?.at(-1) ?? {}),
  }
}

function hasMark(value: object): boolean {
  return JSON.stringify(value).includes('"cacheControl":{"type":"ephemeral"}')
}

function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function assistant(...texts: readonly string[]): LanguageModelV4Message {
  return { role: 'assistant', content: texts.map((text) => ({ type: 'text', text })) }
}

describe('markBreakpoints', () => {
  it('marks the system prompt and the last message but the newest', () => {
    expect(marksOf({ system: LONG, messages: [user('a'), assistant('b'), user('c')] })).toEqual({
      prompt: [0, 2],
      lastTool: false,
    })
  })

  it('marks the last stable message where the caller says which it is', () => {
    const messages = [user('a'), assistant('b'), user('c'), assistant('d'), user('e')]
    expect(marksOf({ system: LONG, messages, stableMessages: 1 }).prompt).toEqual([0, 1])
    expect(marksOf({ system: LONG, messages, stableMessages: 5 }).prompt).toEqual([0, 5])
    expect(marksOf({ system: LONG, messages, stableMessages: 0 }).prompt).toEqual([0])
    expect(marksOf({ system: LONG, messages, stableMessages: 99 }).prompt).toEqual([0, 5])
  })

  it('marks the last tool where there is no system prompt', () => {
    const tools = [TOOL, { ...TOOL, description: LONG }]
    expect(marksOf({ messages: [user('a')], tools })).toEqual({ prompt: [], lastTool: true })
  })

  it('marks nothing below the model’s minimum, for such a prefix is not cached', () => {
    expect(marksOf({ system: 'short', messages: [user('a'), assistant('b'), user('c')] }).prompt).toEqual([])
    expect(marksOf({ system: LONG, messages: [user('a'), user('b')], minPrefixTokens: 100_000 }).prompt).toEqual([])
  })

  it('marks messages once they make the prefix long enough', () => {
    expect(marksOf({ system: 'short', messages: [user(LONG), assistant('b'), user('c')] }).prompt).toEqual([2])
    expect(marksOf({ system: 'short', messages: [user('a'), user('b'), user(LONG)] }).prompt).toEqual([])
  })

  it('does not mark thinking, which takes no breakpoint', () => {
    const thinking: LanguageModelV4Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }
    expect(marksOf({ system: LONG, messages: [user('a'), thinking, user('c')] }).prompt).toEqual([0, 1])
  })

  it('finds an earlier entry again after a step of many parallel calls: a breakpoint at least every 20 blocks', () => {
    const many = assistant(...Array.from({ length: 30 }, (_, index) => `call ${index}`))
    const { prompt } = marksOf({
      system: LONG,
      messages: [user('a'), assistant('b'), many, many, user('c'), user('d')],
    })
    expect(prompt).toEqual([0, 2, 3, 5])
  })

  it('never sets more than the four that are allowed', () => {
    const message = fc.oneof(
      fc.string().map(user),
      fc.array(fc.string(), { maxLength: 40 }).map((texts) => assistant(...texts)),
    )
    const arbitrary = fc.record({
      system: fc.constantFrom('', 'short', LONG),
      messages: fc.array(message, { maxLength: 60 }),
      stableMessages: fc.nat({ max: 70 }),
    })
    fc.assert(
      fc.property(arbitrary, ({ system, messages, stableMessages }) => {
        const { prompt, lastTool } = marksOf({ system, messages, tools: [TOOL], stableMessages })
        expect(prompt.length + (lastTool ? 1 : 0)).toBeLessThanOrEqual(4)
        expect(prompt.every((index) => index <= stableMessages)).toBe(true)
      }),
    )
  })
})
