import { readUIMessageStream } from 'ai'
import type { UIMessage, UIMessageChunk } from 'ai'
import type { AgentEvent, AgentEventBody } from '@longhaul/runtime'
import { describe, expect, it } from 'vitest'
import { createUiChunks } from './ui-chunks.ts'

function chunksOf(...bodies: readonly AgentEventBody[]): UIMessageChunk[] {
  const chunks = createUiChunks('m1')
  const events = bodies.map((body): AgentEvent => ({ turnId: 'm1', ...body }))
  return [...chunks.start(), ...events.flatMap((event) => chunks.next(event)), ...chunks.end()]
}

/** As the AI SDK itself reads them. */
async function read(...bodies: readonly AgentEventBody[]): Promise<UIMessage> {
  let last: UIMessage | undefined
  const stream = ReadableStream.from(chunksOf(...bodies))
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message
  if (last === undefined) throw new Error('there was no message')
  return last
}

const call = { type: 'tool-call', id: 'c1', name: 'look', input: { where: 'bed' } } as const
const result = { type: 'tool-result', id: 'c1', name: 'look', output: 'dry', truncated: false, isError: false } as const

describe('a turn in the words of the AI SDK', () => {
  it('reasoning, text, a tool with its result, and the next step', async () => {
    const { id, role, parts } = await read(
      { type: 'message-stored', id: 'm1' },
      { type: 'reasoning-delta', text: 'Let me ' },
      { type: 'reasoning-delta', text: 'think.' },
      { type: 'text-delta', text: 'I look.' },
      call,
      result,
      { type: 'text-delta', text: 'It is ' },
      { type: 'text-delta', text: 'dry.' },
      { type: 'response-complete', id: 'e9', text: 'It is dry.' },
      { type: 'done' },
    )
    expect({ id, role }).toEqual({ id: 'm1-answer', role: 'assistant' })
    expect(parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Let me think.', state: 'done' },
      { type: 'text', text: 'I look.', state: 'done' },
      { type: 'dynamic-tool', toolName: 'look', state: 'output-available', input: { where: 'bed' }, output: 'dry' },
      { type: 'step-start' },
      { type: 'text', text: 'It is dry.', state: 'done' },
    ])
  })

  it('a tool that failed', async () => {
    const { parts } = await read(call, { ...result, output: 'no such bed', isError: true })
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'dynamic-tool', state: 'output-error', errorText: 'no such bed' }),
    )
  })

  it('two tools at once are one step', async () => {
    const { parts } = await read(
      call,
      { ...call, id: 'c2' },
      result,
      { ...result, id: 'c2' },
      { type: 'text-delta', text: 'Dry.' },
    )
    expect(parts.map(({ type }) => type)).toEqual(['step-start', 'dynamic-tool', 'dynamic-tool', 'step-start', 'text'])
  })

  it('a turn that is told again from the transcript has its words', async () => {
    const { parts } = await read({ type: 'response-complete', id: 'e9', text: 'It is dry.' }, { type: 'done' })
    expect(parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'It is dry.' }))
  })

  it('our own events are data parts; what passes by is transient, what came of it is kept', async () => {
    const started = { type: 'compact-started', reason: 'threshold', tokens: 9, threshold: 8 } as const
    const completed = {
      type: 'compact-completed',
      didCompact: true,
      fallback: null,
      tokensBefore: 9,
      tokensAfter: 3,
      score: 1,
    } as const
    const chunks = chunksOf(started, completed, { type: 'context-warning', percent: 90 })
    expect(chunks).toContainEqual({
      type: 'data-compact-started',
      data: { reason: 'threshold', tokens: 9, threshold: 8 },
      transient: true,
    })
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'data-context-warning', transient: true }))
    const { parts } = await read(started, completed)
    expect(parts).toEqual([{ type: 'data-compact-completed', data: expect.objectContaining({ tokensAfter: 3 }) }])
  })

  it('a retry says in place that what stands before it in its step is void', async () => {
    const { parts } = await read(
      { type: 'text-delta', text: 'I look.' },
      call,
      result,
      { type: 'text-delta', text: 'It is we' },
      { type: 'retry', attempt: 1, reason: 'overloaded' },
      { type: 'text-delta', text: 'It is dry.' },
      { type: 'response-complete', id: 'e9', text: 'It is dry.' },
    )
    expect(parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'I look.' },
      { type: 'dynamic-tool' },
      { type: 'step-start' },
      { type: 'text', text: 'It is we', state: 'done' },
      { type: 'data-retry', data: { attempt: 1, reason: 'overloaded' } },
      { type: 'text', text: 'It is dry.', state: 'done' },
    ])
  })

  it('a retry before a step has said anything leaves the step before it alone', async () => {
    const { parts } = await read(
      { type: 'text-delta', text: 'I look.' },
      call,
      result,
      { type: 'retry', attempt: 1, reason: 'overloaded' },
      { type: 'text-delta', text: 'Dry.' },
    )
    const types = parts.map(({ type }) => type)
    expect(types).toEqual(['step-start', 'text', 'dynamic-tool', 'step-start', 'data-retry', 'text'])
  })

  it('an error ends it, with its code beside it', async () => {
    const error = { type: 'error', code: 'provider-limited', message: 'Try again later.' } as const
    expect(chunksOf({ type: 'text-delta', text: 'Well' }, error)).toEqual(
      expect.arrayContaining([
        { type: 'data-error', data: { code: 'provider-limited', message: 'Try again later.' }, transient: true },
        { type: 'error', errorText: 'Try again later.' },
      ]),
    )
    await expect(read(error)).rejects.toThrow('Try again later.')
  })
})
