import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelFailureKind } from '../port/model-failure.ts'
import { createErrorClassifier } from './create-error-classifier.ts'
import { plainQuotes } from './table/error-row.ts'
import { ACCOUNT_ROWS, NOT_WINDOW_ROWS } from './table/other-rows.ts'
import type { ProviderError } from './provider-error.ts'
import { WINDOW_ROWS } from './table/window-rows.ts'

const ROWS = [...NOT_WINDOW_ROWS, ...WINDOW_ROWS, ...ACCOUNT_ROWS]
const classify = createErrorClassifier()

function error(status: number | null, message: string, rest: Partial<ProviderError> = {}): ProviderError {
  return { status, message, isFromProvider: true, ...rest }
}

/** Kind, actual, limit. */
function verdict(given: ProviderError): readonly [ModelFailureKind, number | null, number | null] {
  const { kind, tokens } = classify(given)
  return [kind, tokens?.actual ?? null, tokens?.limit ?? null]
}

describe('the rows', () => {
  it.each(ROWS)('$vendor: $sample', (row) => {
    const first = ROWS.find(({ pattern }) => pattern.test(plainQuotes(row.sample)))
    expect(first).toBe(row)
    const { kind } = classify(error(400, row.sample))
    expect(kind === 'output-overflow' ? 'input-overflow' : kind).toBe(row.kind)
  })
})

describe('overflow of the window', () => {
  it.each<[vendor: string, ProviderError, ModelFailureKind, number | null, number | null]>([
    [
      'Anthropic',
      error(400, 'prompt is too long: 213462 tokens > 200000 maximum', { type: 'invalid_request_error' }),
      'input-overflow',
      213_462,
      200_000,
    ],
    [
      'Anthropic, prompt and output',
      error(
        400,
        'input length and `max_tokens` exceed context limit: 199323 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      ),
      'output-overflow',
      199_323,
      200_000,
    ],
    [
      'Anthropic, prompt too large by itself',
      error(400, 'input length and `max_tokens` exceed context limit: 201000 + 20000 > 200000'),
      'input-overflow',
      201_000,
      200_000,
    ],
    [
      'OpenAI Chat',
      error(
        400,
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
        { code: 'context_length_exceeded' },
      ),
      'input-overflow',
      204_308,
      128_000,
    ],
    [
      'OpenAI Chat with functions',
      error(
        400,
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (7000 in the messages, 500 in the functions, and 1500 in the completion).",
        { code: 'context_length_exceeded' },
      ),
      'output-overflow',
      7_500,
      8_192,
    ],
    [
      'OpenAI GPT-5',
      error(
        400,
        'Input tokens exceed the configured limit of 922000 tokens. Your messages resulted in 1751400 tokens. Please reduce the length of the messages.',
      ),
      'input-overflow',
      1_751_400,
      922_000,
    ],
    [
      'OpenAI Responses, in the stream',
      error(null, 'Your input exceeds the context window of this model. Please adjust your input and try again.', {
        code: 'context_length_exceeded',
      }),
      'input-overflow',
      null,
      null,
    ],
    [
      'Gemini',
      error(400, 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', {
        code: 'INVALID_ARGUMENT',
      }),
      'input-overflow',
      1_196_265,
      1_048_575,
    ],
    [
      'Mistral',
      error(400, 'Prompt contains 65673 tokens ..., too large for model with 32768 maximum context length'),
      'input-overflow',
      65_673,
      32_768,
    ],
    [
      'xAI',
      error(400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
      'input-overflow',
      537_812,
      131_072,
    ],
    [
      'DeepSeek: the output is what does not fit',
      error(
        400,
        "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
        { code: 'invalid_request_error' },
      ),
      'output-overflow',
      122_942,
      131_072,
    ],
    [
      'OpenRouter: the output is what does not fit',
      error(
        400,
        "This endpoint's maximum context length is 262144 tokens. However, you requested about 284283 tokens (8963 of text input, 13176 of tool input, 262144 in the output). Please reduce the length of either one.",
      ),
      'output-overflow',
      22_139,
      262_144,
    ],
    [
      'vLLM: the prompt alone',
      error(
        400,
        "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
      ),
      'input-overflow',
      262_145,
      262_144,
    ],
    [
      'vLLM: counted only up to the limit, so the prompt may be any size',
      error(
        400,
        "This model's maximum context length is 202752 tokens. However, you requested 65536 output tokens and your prompt contains at least 137217 input tokens, for a total of at least 202753 tokens.",
      ),
      'input-overflow',
      null,
      202_752,
    ],
    [
      'vLLM: no prompt would fit beside the output',
      error(
        400,
        "This model's maximum context length is 4096 tokens. However, you requested 8192 output tokens and your prompt contains at least 1 input tokens, for a total of at least 8193 tokens.",
      ),
      'output-overflow',
      null,
      4_096,
    ],
    [
      'vLLM: prompt and output',
      error(
        400,
        "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens",
      ),
      'output-overflow',
      99_073,
      131_072,
    ],
    [
      'Bedrock, Claude inside',
      error(400, 'The model returned the following errors: prompt is too long: 200049 tokens > 200000 maximum', {
        type: 'ValidationException',
      }),
      'input-overflow',
      200_049,
      200_000,
    ],
    [
      'llama.cpp',
      error(400, 'the request exceeds the available context size, try increasing it', {
        body: { error: { type: 'exceed_context_size_error', n_prompt_tokens: 124_071, n_ctx: 123_904 } },
      }),
      'input-overflow',
      124_071,
      123_904,
    ],
    [
      'llama.cpp before it used 400',
      error(500, 'the request exceeds the available context size, try increasing it', { type: 'server_error' }),
      'input-overflow',
      null,
      null,
    ],
    [
      'LM Studio',
      error(
        400,
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length',
      ),
      'input-overflow',
      13_055,
      4_096,
    ],
    [
      'Groq',
      error(400, 'Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
      'input-overflow',
      null,
      null,
    ],
    [
      'LiteLLM',
      error(400, 'litellm.ContextWindowExceededError: AnthropicException - prompt is too long: 9 tokens > 8 maximum'),
      'input-overflow',
      9,
      8,
    ],
    [
      'LiteLLM, by its type',
      error(400, 'no words we know', { type: 'ContextWindowExceededError' }),
      'input-overflow',
      null,
      null,
    ],
    ['z.ai, by its code', error(400, 'some words', { code: '1261' }), 'input-overflow', null, null],
    [
      'Kimi, which sends 401',
      error(401, 'Your request exceeded model token limit: 262144 (requested: 291351)'),
      'input-overflow',
      291_351,
      262_144,
    ],
    [
      'with thousands separators',
      error(400, 'prompt is too long: 213,462 tokens > 200,000 maximum'),
      'input-overflow',
      213_462,
      200_000,
    ],
    ['Vertex, which sends 413', error(413, 'Prompt is too long'), 'input-overflow', null, null],
    [
      'OpenRouter, from the provider behind it',
      error(400, 'Provider returned error', {
        body: '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\\"error\\":{\\"message\\":\\"prompt is too long: 213462 tokens > 200000 maximum\\"}}"}}}',
      }),
      'input-overflow',
      213_462,
      200_000,
    ],
  ])('%s', (_, given, kind, actual, limit) => {
    expect(verdict(given)).toEqual([kind, actual, limit])
    expect(classify(given).isRetryable).toBe(false)
  })

  it('is of the output exactly where the prompt alone would fit, however the numbers are written', () => {
    const write = fc.constantFrom(
      (count: number) => String(count),
      (count: number) => count.toLocaleString('en-US'),
    )
    const tokens = fc.integer({ min: 1, max: 3_000_000 })
    fc.assert(
      fc.property(tokens, tokens, tokens, write, (prompt, output, limit, text) => {
        const messages = [
          `input length and max_tokens exceed context limit: ${text(prompt)} + ${text(output)} > ${text(limit)}`,
          `maximum context length is ${text(limit)} tokens. However, you requested ${text(prompt + output)} tokens (${text(prompt)} in the messages, ${text(output)} in the completion).`,
          `maximum context length is ${text(limit)} tokens. However, you requested about ${text(prompt + output)} tokens (${text(prompt)} of text input, ${text(output)} in the output).`,
          `You passed ${text(prompt)} input tokens and requested ${text(output)} output tokens. However, the model's context length is only ${text(limit)} tokens`,
        ]
        const kind = prompt <= limit ? 'output-overflow' : 'input-overflow'
        for (const message of messages) expect(verdict(error(400, message))).toEqual([kind, prompt, limit])
      }),
    )
  })

  it('Cerebras: no body at all', () => {
    expect(classify(error(413, 'Payload Too Large', { body: '' })).kind).toBe('input-overflow')
    expect(classify(error(413, '413 status code (no body)')).kind).toBe('input-overflow')
    const wordless = error(400, 'Bad Request', { windowTokens: 40_000 })
    expect(classify({ ...wordless, expectedInputTokens: 39_000 }).kind).toBe('input-overflow')
    expect(classify({ ...wordless, expectedInputTokens: 9_000 }).kind).toBe('invalid-request')
    expect(classify(error(400, 'Bad Request')).kind).toBe('invalid-request')
    expect(classify({ ...wordless, expectedInputTokens: 39_000, message: 'Unknown field' }).kind).toBe(
      'invalid-request',
    )
  })
})

describe('what is no overflow of the window', () => {
  it.each<[vendor: string, ProviderError, ModelFailureKind]>([
    ['Bedrock throttling', error(429, 'Too many tokens, please wait before trying again.'), 'rate-limited'],
    [
      'Bedrock throttling through a proxy',
      error(400, 'Too many tokens, please wait before trying again.'),
      'rate-limited',
    ],
    [
      'a rate limit',
      error(429, 'This request would exceed the rate limit of 30,000 input tokens per minute'),
      'rate-limited',
    ],
    ['a rate limit without a word', error(429, ''), 'rate-limited'],
    ['429 with the words of an overflow', error(429, 'Your input exceeds the context window'), 'rate-limited'],
    ['Gemini quota', error(429, 'You exceeded your current quota', { code: 'RESOURCE_EXHAUSTED' }), 'rate-limited'],
    ['OpenAI without money', error(429, 'You exceeded your current quota', { code: 'insufficient_quota' }), 'auth'],
    ['Anthropic without money', error(400, 'Your credit balance is too low to access the Anthropic API.'), 'auth'],
    [
      'Anthropic bytes',
      error(413, 'Request exceeds the maximum size', { type: 'request_too_large' }),
      'request-too-large',
    ],
    ['Gemini bytes', error(400, 'Request payload size exceeds the limit: 20971520 bytes.'), 'request-too-large'],
    [
      'nginx bytes',
      error(413, 'Payload Too Large', { body: '<h1>413 Request Entity Too Large</h1>' }),
      'request-too-large',
    ],
    ['413 with other words', error(413, 'Too big for us'), 'request-too-large'],
    [
      'thinking bound to another conversation',
      error(
        400,
        'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
      ),
      'thinking-binding',
    ],
    [
      'thinking that was changed',
      error(400, '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified'),
      'thinking-binding',
    ],
    ['an orphan result', error(400, 'unexpected tool_use_id found in tool_result blocks: toolu_1'), 'invalid-request'],
    ['an orphan call', error(400, 'No tool output found for function call call_1.'), 'invalid-request'],
    [
      'a parameter that is too long',
      error(400, "Invalid 'input[0].encrypted_content': string too long.", { code: 'string_above_max_length' }),
      'invalid-request',
    ],
    ['an output limit that is too high', error(400, 'max_tokens must be <= 8192'), 'invalid-request'],
    [
      'an output limit of OpenAI',
      error(
        400,
        'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
      ),
      'invalid-request',
    ],
    ['a plain bad request', error(400, "Unknown parameter: 'foo'."), 'invalid-request'],
    ['an unprocessable one', error(422, 'Input should be a valid string'), 'invalid-request'],
    ['a wrong key', error(401, 'invalid x-api-key', { type: 'authentication_error' }), 'auth'],
    ['a wrong key at Gemini, which sends 400', error(400, 'API key not valid. Please pass a valid API key.'), 'auth'],
    ['a forbidden region', error(403, 'Country not supported'), 'auth'],
    ['no credit at OpenRouter', error(402, 'This request requires more credits, or fewer max_tokens.'), 'auth'],
    ['an unknown model', error(404, 'model: claude-9', { type: 'not_found_error' }), 'unknown-model'],
    ['an unknown model, sent as 400', error(400, 'nope', { code: 'model_not_found' }), 'unknown-model'],
    ['an overloaded server', error(529, 'Overloaded', { type: 'overloaded_error' }), 'unavailable'],
    ['an overloaded server, in the stream', error(null, 'Overloaded', { type: 'overloaded_error' }), 'unavailable'],
    ['a broken server', error(500, 'Internal server error'), 'unavailable'],
    ['a gateway', error(502, '', { body: '<html>Bad Gateway</html>' }), 'unavailable'],
    ['a server that gave up waiting', error(408, 'Request timeout'), 'unavailable'],
    ['an error nobody knows, in the stream', error(null, 'something odd'), 'unavailable'],
    [
      'OpenRouter, 429 inside 200',
      error(200, 'Slow down', { body: { error: { code: 429, message: 'Slow down' } } }),
      'rate-limited',
    ],
    [
      'a refused prompt',
      error(400, "triggering Azure OpenAI's content management policy", { code: 'content_filter' }),
      'refused',
    ],
    [
      'a moderated prompt',
      error(403, 'Your chosen model requires moderation and your input was flagged for "violence"'),
      'refused',
    ],
  ])('%s', (_, given, kind) => {
    expect(classify(given).kind).toBe(kind)
  })

  it('Groq: a budget a minute, which a larger request will never fit', () => {
    const message =
      'Request too large for model `llama-3.3-70b-versatile` on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.'
    const failure = classify(error(413, message, { type: 'tokens', code: 'rate_limit_exceeded' }))
    expect(failure).toMatchObject({
      kind: 'rate-limited',
      isRetryable: false,
      tokens: { actual: 12_328, limit: 6_000 },
    })
    const used =
      'Rate limit reached on tokens per min (TPM): Limit 30000, Used 28000, Requested 5000. Please try again in 6s.'
    expect(classify(error(429, used))).toMatchObject({ kind: 'rate-limited', isRetryable: true, retryAfterMs: 6_000 })
  })

  it('is not misled by what an error quotes of the conversation', () => {
    const quoted = 'The log says: prompt is too long: 213462 tokens > 200000 maximum'
    const body = { detail: [{ msg: 'Input should be a valid string', input: { role: 'user', content: quoted } }] }
    expect(classify(error(422, 'Unprocessable Entity', { body }))).toMatchObject({
      kind: 'invalid-request',
      tokens: null,
    })
  })

  it('does not read the words of what went wrong on the way', () => {
    const lost = error(null, 'read ECONNRESET after "prompt is too long: 9 tokens > 8 maximum"', {
      isFromProvider: false,
    })
    expect(classify(lost)).toMatchObject({ kind: 'unavailable', isRetryable: true, tokens: null })
  })
})

describe('a failure', () => {
  it('says what the provider said, in one line', () => {
    expect(classify(error(400, ' Two\n lines  ')).message).toBe('Two lines')
    expect(classify(error(503, 'Service Unavailable')).message).toBe('The provider answered 503 and gave no reason.')
    expect(classify(error(null, '')).message).toBe('The provider gave no reason.')
  })

  it('carries status and advice when to try again', () => {
    const failure = classify(error(429, 'Slow down', { headers: { 'Retry-After': '7' } }))
    expect(failure).toMatchObject({ status: 429, retryAfterMs: 7_000, isRetryable: true })
    const dated = createErrorClassifier({ now: () => Date.parse('2026-11-15T12:00:00Z') })
    expect(dated(error(503, '', { headers: { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT' } })).retryAfterMs).toBe(
      60_000,
    )
  })

  it('is not retried where the endpoint says so', () => {
    expect(classify(error(503, 'No.', { headers: { 'x-should-retry': 'false' } })).isRetryable).toBe(false)
  })

  it("follows the user's patterns before its own", () => {
    const own = createErrorClassifier({
      overflowPatterns: [
        { pattern: String.raw`buffer of (?<limit>[\d,]+) full \((?<actual>\d+)`, kind: 'input-overflow' },
        { pattern: 'extra usage is required for long context', kind: 'input-overflow' },
      ],
    })
    expect(own(error(400, 'Buffer of 8,192 full (9000 given)'))).toMatchObject({
      kind: 'input-overflow',
      tokens: { actual: 9_000, limit: 8_192 },
    })
    expect(own(error(429, 'Extra usage is required for long context requests.')).kind).toBe('input-overflow')
    expect(own(error(429, 'Slow down')).kind).toBe('rate-limited')
  })

  it('comes of any error whatsoever', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer()),
        fc.string(),
        fc.anything(),
        fc.boolean(),
        (status, message, body, isFromProvider) => {
          const failure = classify({ status, message, body, isFromProvider })
          expect(failure.message).not.toBe('')
          expect(failure.message).not.toMatch(/\n/)
        },
      ),
    )
  })

  it('comes of hostile texts too', () => {
    const pieces = ROWS.flatMap(({ sample }) => [sample, sample.slice(0, 30), sample.replaceAll(/\d+/g, '1,111')])
    const hostile = [
      ...pieces,
      'maximum context length is 1 tokens requested 1 tokens (',
      '1',
      '1,111,',
      ' ',
      'try again in 1',
    ]
    for (const piece of hostile) {
      const body = piece.repeat(Math.ceil(30_000 / piece.length))
      expect(classify(error(400, body)).message).not.toBe('')
    }
  })
})
