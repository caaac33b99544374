import { createHttpError } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import { recordSpans } from '../../testing/record-spans.ts'
import { startApp } from '../../testing/start-app.ts'
import type { AppWishes } from '../../testing/start-app.ts'
import { createInstruments } from '../create-instruments.ts'
import { createMetrics } from '../metrics/create-metrics.ts'

const start = async (wishes: AppWishes, doesCaptureContent = false) =>
  startApp({ instruments: createInstruments({ metrics: createMetrics(), doesCaptureContent }), ...wishes })

describe('spans by the GenAI conventions', () => {
  it('a turn, its calls of models and its tools; no word of what was said', async () => {
    const spans = recordSpans()
    const app = await start({
      script: (_, index) =>
        index === 0
          ? { text: 'I look.', toolCalls: [{ id: 'c1', name: 'list_files', input: { path: '.' } }] }
          : 'Nothing there.',
    })
    const { id } = await app.createSession({ title: 'Beds' })
    await app.say(id, 'What is in the folder?')
    const turn = spans.find(({ name }) => name === 'invoke_agent longhaul')
    expect(turn).toMatchObject({ ended: true, attributes: { 'gen_ai.conversation.id': id } })
    const calls = spans.filter(({ name }) => name === 'chat scripted')
    expect(calls).toHaveLength(2)
    for (const call of calls) {
      expect(call).toMatchObject({
        parentSpanContext: { spanId: turn?.spanContext().spanId },
        ended: true,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'scripted',
          'gen_ai.request.model': 'scripted',
          'gen_ai.conversation.id': id,
          'gen_ai.usage.input_tokens': expect.any(Number),
          'gen_ai.usage.output_tokens': expect.any(Number),
        },
      })
    }
    expect(calls.map(({ attributes }) => attributes['gen_ai.response.finish_reasons'])).toEqual([
      ['tool-calls'],
      ['stop'],
    ])
    expect(spans.find(({ name }) => name === 'execute_tool list_files')).toMatchObject({
      parentSpanContext: { spanId: turn?.spanContext().spanId },
      ended: true,
      attributes: { 'gen_ai.tool.name': 'list_files', 'gen_ai.tool.call.id': 'c1' },
    })
    expect(spans.map(({ name }) => name)).toContain('POST /api/sessions/:id/messages')
    const told = spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
    expect(JSON.stringify(told)).not.toMatch(/What is in|I look|Nothing there/)
  })

  it('what was said is in them when somebody asks for it', async () => {
    const spans = recordSpans()
    const app = await start({ script: () => 'In the evening.' }, true)
    const { id } = await app.createSession({ title: 'Beds' })
    await app.say(id, 'When do I water?')
    const call = spans.find(({ name }) => name === 'chat scripted')
    expect(call?.attributes['gen_ai.input.messages']).toContain('When do I water?')
    expect(call?.attributes['gen_ai.output.messages']).toContain('In the evening.')
  })

  it('a call that fails and the turn it failed are marked by kind', async () => {
    const spans = recordSpans()
    const failure = createHttpError({ status: 401, message: 'wrong key' })
    const app = await start({ script: () => ({ fails: failure }) })
    const { id } = await app.createSession({ title: 'Beds' })
    await app.say(id, 'Hello')
    expect(spans.find(({ name }) => name === 'chat scripted')).toMatchObject({
      ended: true,
      attributes: { 'error.type': 'auth' },
    })
    expect(spans.find(({ name }) => name === 'invoke_agent longhaul')?.attributes['error.type']).toBe('provider-auth')
  })

  it('a summary is a call as well', async () => {
    const spans = recordSpans()
    const app = await start({ model: 'offline/extractive' })
    const sample = (await (await app.request('POST', '/api/sessions/sample')).json()) as { id: string }
    await app.say(sample.id, 'Who imports the real members?')
    const calls = spans.filter(({ name }) => name === 'chat extractive')
    expect(calls.some(({ attributes }) => attributes['gen_ai.request.temperature'] === 0)).toBe(true)
    expect(spans.every(({ ended }) => ended)).toBe(true)
  })
})
