import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProviderError } from './provider-error.ts'
import { readError } from './read-error.ts'

function read(body: unknown, rest: Partial<ProviderError> = {}) {
  return readError({ status: 400, message: '', isFromProvider: true, body, ...rest })
}

describe('readError', () => {
  it.each([
    ['Anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } }, 'invalid_request_error'],
    [
      'OpenAI',
      { error: { message: 'No.', type: 'x', param: 'messages', code: 'Context_Length_Exceeded' } },
      'context_length_exceeded',
    ],
    [
      'OpenAI, failed in the stream',
      { type: 'response.failed', response: { error: { code: 'c1', message: 'No.' } } },
      'c1',
    ],
    ['Gemini', [{ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }], 'invalid_argument'],
    ['MiniMax', { base_resp: { status_msg: 'No.' }, type: 'error' }, 'error'],
    ['Bedrock', { __type: 'ValidationException', message: 'No.' }, 'validationexception'],
    ['LM Studio', { error: 'No.', code: 'c2' }, 'c2'],
    ['FastAPI', { detail: [{ type: 'missing', loc: ['body'], msg: 'No.' }] }, 'missing'],
    ['OpenRouter', { error: { message: 'No.', code: 502, metadata: { raw: '{"error":{"code":"c3"}}' } } }, 'c3'],
  ])('finds text and code where %s puts them', (_, body, code) => {
    for (const form of [body, JSON.stringify(body)]) {
      expect(read(form).said).toEqual(['No.'])
      expect(read(form).codes).toContain(code)
    }
  })

  it('says a text once that stands in several places', () => {
    expect(read('{"error":{"message":"No."},"message":"No."}', { message: 'No.' }).said).toEqual(['No.'])
  })

  it('reads what a proxy was told, in JSON within JSON', () => {
    const raw = JSON.stringify({ error: { message: 'prompt is too long', type: 't' } })
    const facts = read({ error: { message: 'Provider returned error', metadata: { raw } } })
    expect(facts.said).toEqual(['Provider returned error', 'prompt is too long'])
  })

  it('looks at a body that is not JSON, but does not show it', () => {
    const body = '<html><h1>413 Request Entity Too Large</h1></html>'
    const facts = read(body, { status: 413, message: 'Payload Too Large' })
    expect(facts.said).toEqual([])
    expect(facts.text).toContain('413 Request Entity Too Large')
  })

  it.each([
    [400, 'Bad Request'],
    [413, 'payload too large'],
    [413, 'Request Entity Too Large'],
    [413, '413 status code (no body)'],
  ])('does not take what goes with every %i for words of the provider: %s', (status, message) => {
    expect(read('', { status, message }).text).toBe('')
    expect(read('', { status: null, message }).text).toBe(message)
  })

  it('does not look at what an endpoint quotes of the request', () => {
    const quoted = 'prompt is too long: 213462 tokens > 200000 maximum'
    const facts = read({
      detail: [
        { type: 'string_type', msg: 'Input should be a valid string', input: [{ role: 'user', content: quoted }] },
      ],
      body: { messages: [{ content: quoted }] },
    })
    expect(facts.text).toBe('Input should be a valid string')
  })

  it('takes the status of an error inside a good answer from its code', () => {
    expect(read({ error: { code: 429, message: 'No.' } }, { status: 200 }).status).toBe(429)
    expect(read({ error: { code: '503' } }, { status: null }).status).toBe(503)
    expect(read({ error: { type: 'invalid_request_error' } }, { status: null }).status).toBe(400)
    expect(read({ error: { code: 1261 } }, { status: null }).status).toBeNull()
    expect(read({ error: { code: 429 } }, { status: 400 }).status).toBe(400)
  })

  it('reads the fields that hold counts and delays', () => {
    const llama = { error: { code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 124_071, n_ctx: 123_904 } }
    expect(read(llama).counts).toEqual({ actual: 124_071, limit: 123_904 })
    const google = { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '20s' }] } }
    expect(read(google).retryDelay).toBe('20s')
  })

  it('survives anything, and what it hands on is bounded', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), fc.string(), (body, message, code) => {
        const facts = read(body, { message, code })
        expect(facts.text.length).toBeLessThanOrEqual(20_000)
      }),
    )
    expect(read(`{"message":"${'x'.repeat(3_000_000)}"}`).text.length).toBe(20_000)
    expect(read('['.repeat(100_000)).text.length).toBe(20_000)
    const deep: Record<string, unknown> = {}
    deep['error'] = deep
    expect(read(deep).said).toEqual([])
  })
})
