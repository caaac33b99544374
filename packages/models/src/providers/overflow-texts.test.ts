import { afterEach, describe, expect, it } from 'vitest'
import { createModels } from '../create-models.ts'
import type { ModelFailure } from '../port/model-failure.ts'
import { collect, createCall, failureOf, finishOf } from '../testing/drive-call.ts'
import { startWireServer } from '../testing/wire/start-wire-server.ts'
import type { WireServer } from '../testing/wire/start-wire-server.ts'
import { WIRE_CASES } from '../testing/wire/wire-cases.ts'
import type { WireCase } from '../testing/wire/wire-cases.ts'
import type { WireReply } from '../testing/wire/wire-reply.ts'

let server: WireServer
afterEach(() => server.close())

async function failWith(wire: WireCase['wire'], reply: WireReply): Promise<ModelFailure> {
  return failureOf(await ask(wire, reply)).failure
}

async function ask(wire: WireCase['wire'], reply: WireReply) {
  server = await startWireServer({ otherwise: reply })
  const { provider, model, config } = WIRE_CASES.find((one) => one.wire === wire) as WireCase
  const models = createModels({ providers: { [provider]: { ...config, apiKey: 'key', baseURL: server.baseURL } } })
  const call = createCall('Hello.', { maxRetries: 0 })
  return collect(models.stream(`${provider}/${model}`, call, new AbortController().signal))
}

function http(status: number, body: unknown): WireReply {
  return { fault: 'http', status, body }
}

function anthropicError(status: number, type: string, message: string): WireReply {
  return http(status, { type: 'error', error: { type, message }, request_id: 'req_1' })
}

function openaiError(status: number, code: string | null, message: string): WireReply {
  return http(status, { error: { message, type: 'invalid_request_error', param: 'messages', code } })
}

function googleError(status: number, type: string, message: string): WireReply {
  return http(status, { error: { code: status, message, status: type } })
}

describe('Anthropic', () => {
  it.each([
    ['prompt is too long: 213462 tokens > 200000 maximum', 'input-overflow', { actual: 213_462, limit: 200_000 }],
    [
      'input length and `max_tokens` exceed context limit: 199323 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      'output-overflow',
      { limit: 200_000 },
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
      'thinking-binding',
      undefined,
    ],
    ['max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens', 'invalid-request', undefined],
  ])('%s', async (text, kind, tokens) => {
    const failure = await failWith('anthropic', anthropicError(400, 'invalid_request_error', text))
    expect(failure).toMatchObject({ kind, status: 400, isRetryable: false, ...(tokens && { tokens }) })
  })

  it('too many bytes', async () => {
    const reply = anthropicError(413, 'request_too_large', 'Request exceeds the maximum size')
    expect(await failWith('anthropic', reply)).toMatchObject({ kind: 'request-too-large', status: 413 })
  })

  it('a window that fills up in the middle of an answer ends it by length', async () => {
    const events = await ask('anthropic', { text: 'As far as', finish: 'window-exceeded' })
    expect(finishOf(events).finish).toBe('length')
  })
})

describe('OpenAI Responses', () => {
  const TEXT = 'Your input exceeds the context window of this model. Please adjust your input and try again.'

  it('as an HTTP error', async () => {
    const failure = await failWith('openai-responses', openaiError(400, 'context_length_exceeded', TEXT))
    expect(failure).toMatchObject({ kind: 'input-overflow', isRetryable: false })
  })

  it('as an error in the stream', async () => {
    const how = { type: 'context_length_exceeded', message: TEXT }
    expect(await failWith('openai-responses', { text: '…', breaksOff: { afterPieces: 0, how } })).toMatchObject({
      kind: 'input-overflow',
    })
  })

  it('a quota that is used up is not cured by waiting', async () => {
    const text = 'You exceeded your current quota, please check your plan and billing details.'
    const failure = await failWith('openai-responses', openaiError(429, 'insufficient_quota', text))
    expect(failure).toMatchObject({ isRetryable: false })
    expect(failure.kind).not.toBe('input-overflow')
  })
})

describe('OpenAI Chat and those who speak it', () => {
  it.each([
    [
      'context_length_exceeded',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
      'input-overflow',
      { actual: 204_308, limit: 128_000 },
    ],
    [
      'context_length_exceeded',
      'Input tokens exceed the configured limit of 922000 tokens. Your messages resulted in 1751400 tokens. Please reduce the length of the messages.',
      'input-overflow',
      { actual: 1_751_400, limit: 922_000 },
    ],
    [
      'exceed_context_size_error',
      'request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it',
      'input-overflow',
      { actual: 124_071, limit: 123_904 },
    ],
    [
      null,
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
      'input-overflow',
      { limit: 262_144 },
    ],
    [
      null,
      "This endpoint's maximum context length is 262144 tokens. However, you requested about 284283 tokens (8963 of text input, 13176 of tool input, 262144 in the output). Please reduce the length of either one, or use the context-compression plugin.",
      'output-overflow',
      { limit: 262_144 },
    ],
    [
      null,
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length.',
      'input-overflow',
      { limit: 4_096 },
    ],
  ])('%s %s', async (code, text, kind, tokens) => {
    expect(await failWith('openai-chat', openaiError(400, code, text))).toMatchObject({ kind, tokens })
  })

  it('a server that puts its error in a string', async () => {
    const reply = http(400, { error: 'prompt too long; exceeded max context length by 312 tokens' })
    expect(await failWith('openai-chat', reply)).toMatchObject({ kind: 'input-overflow' })
  })

  it('a budget of tokens a minute is no window', async () => {
    const text =
      'Request too large for model `llama-3.3-70b-versatile` on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.'
    expect(await failWith('openai-chat', openaiError(413, 'rate_limit_exceeded', text))).toMatchObject({
      kind: 'rate-limited',
    })
  })

  it('an answer that quotes an overflow is an answer', async () => {
    const text = 'It said: prompt is too long: 213462 tokens > 200000 maximum'
    expect(finishOf(await ask('openai-chat', { text })).finish).toBe('stop')
  })
})

describe('Google', () => {
  it('too many tokens', async () => {
    const text = 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'
    expect(await failWith('google', googleError(400, 'INVALID_ARGUMENT', text))).toMatchObject({
      kind: 'input-overflow',
      tokens: { actual: 1_196_265, limit: 1_048_575 },
    })
  })

  it('too many bytes', async () => {
    const text = 'Request payload size exceeds the limit: 20971520 bytes.'
    expect(await failWith('google', googleError(400, 'INVALID_ARGUMENT', text))).toMatchObject({
      kind: 'request-too-large',
    })
  })

  it('a used up quota is throttling', async () => {
    const text = 'Resource has been exhausted (e.g. check quota).'
    expect(await failWith('google', googleError(429, 'RESOURCE_EXHAUSTED', text))).toMatchObject({
      kind: 'rate-limited',
    })
  })
})
