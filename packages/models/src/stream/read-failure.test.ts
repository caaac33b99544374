import {
  APICallError,
  EmptyResponseBodyError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createErrorClassifier } from '../overflow/create-error-classifier.ts'
import type { ModelCall } from '../port/model-call.ts'
import { createConnectionError, createHttpError, createOverflowError } from '../scripted/scripted-errors.ts'
import { readFailure } from './read-failure.ts'
import { createCall } from './testing/run-stream.ts'

function read(error: unknown, call: Partial<ModelCall> = {}) {
  return readFailure(error, createCall(call), createErrorClassifier())
}

function coded(code: string, message = code): Error {
  return Object.assign(new Error(message), { code })
}

describe('what the provider said', () => {
  it.each(['anthropic', 'openai', 'google', 'llama.cpp'] as const)('is an overflow in the words of %s', (vendor) => {
    const failure = read(createOverflowError(vendor, { inputTokens: 213_462, windowTokens: 200_000 }))
    expect(failure).toMatchObject({ kind: 'input-overflow', status: 400, tokens: { actual: 213_462, limit: 200_000 } })
  })

  it('comes with its advice when to try again', () => {
    const error = createHttpError({ status: 429, message: 'Slow down', headers: { 'Retry-After': '7' } })
    expect(read(error)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 7_000, isRetryable: true })
  })

  it('may come as a record in the stream', () => {
    expect(read({ type: 'overloaded_error', message: 'Overloaded', statusCode: 529 })).toMatchObject({
      kind: 'unavailable',
      status: 529,
      message: 'Overloaded',
      isRetryable: true,
    })
    expect(read({ message: 'too long', code: 'context_length_exceeded' }).kind).toBe('input-overflow')
  })

  it('may come as a bare text, or in a shape the SDK does not know', () => {
    expect(read('prompt is too long: 5 tokens > 4 maximum').kind).toBe('input-overflow')
    const value = {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096)',
    }
    expect(read(new TypeValidationError({ value, cause: new Error('invalid') })).kind).toBe('input-overflow')
  })

  it('may be an error of a program that carries a status', () => {
    expect(read(Object.assign(new Error('no such key'), { statusCode: 401 })).kind).toBe('auth')
  })

  it('is judged by what the caller measured where it said nothing', () => {
    const silent = new APICallError({ message: '', url: 'x', requestBodyValues: {}, statusCode: 400 })
    expect(read(silent, { expectedInputTokens: 8_000, windowTokens: 8_192 }).kind).toBe('input-overflow')
    expect(read(silent).kind).toBe('invalid-request')
  })
})

describe('what went wrong on the way', () => {
  const refused = new AggregateError([coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:11434')])

  it.each([
    ['a reset', createConnectionError('ECONNRESET'), 'ECONNRESET'],
    ['no server', new TypeError('fetch failed', { cause: refused }), 'connect ECONNREFUSED ::1:11434'],
    [
      'no server, as the SDK tells it',
      new APICallError({ message: 'Cannot connect to API: ', url: 'x', requestBodyValues: {}, cause: refused }),
      'connect ECONNREFUSED ::1:11434',
    ],
    [
      'no name',
      new TypeError('fetch failed', { cause: coded('ENOTFOUND', 'getaddrinfo ENOTFOUND api') }),
      'getaddrinfo ENOTFOUND api',
    ],
    [
      'a lost stream',
      new APICallError({
        message: 'Failed to process successful response',
        url: 'x',
        requestBodyValues: {},
        statusCode: 200,
        cause: new TypeError('terminated', { cause: coded('UND_ERR_SOCKET', 'other side closed') }),
      }),
      'other side closed (UND_ERR_SOCKET)',
    ],
    [
      'a time-out of somebody else',
      new DOMException('The operation timed out.', 'TimeoutError'),
      'The operation timed out.',
    ],
  ])('%s is worth another try', (_, error, words) => {
    expect(read(error)).toMatchObject({
      kind: 'unavailable',
      isRetryable: true,
      message: `The connection failed: ${words}`,
    })
  })

  it('a certificate does not get better by trying again', () => {
    const error = new TypeError('fetch failed', { cause: coded('CERT_HAS_EXPIRED', 'certificate has expired') })
    expect(read(error)).toMatchObject({ kind: 'unavailable', isRetryable: false })
  })

  it.each([
    ['no JSON', new JSONParseError({ text: '<html>', cause: new Error('unexpected <') })],
    ['other JSON', new TypeValidationError({ value: { hello: 1 }, cause: new Error('invalid') })],
    ['nothing', new EmptyResponseBodyError({})],
    ['garbage first, as the SDK tells it', new Error('Expected a normalized Anthropic stream error')],
  ])('a response of %s is worth another try', (_, error) => {
    expect(read(error)).toMatchObject({ kind: 'unavailable', isRetryable: true })
  })
})

describe('what is wrong with us', () => {
  it.each([
    ['auth', new LoadAPIKeyError({ message: 'no key' })],
    ['unknown-model', new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' })],
    ['invalid-request', new UnsupportedFunctionalityError({ functionality: 'media type: x' })],
    ['invalid-request', new TypeError('undefined is not a function')],
    ['invalid-request', undefined],
    ['invalid-request', Symbol('odd')],
  ])('is %s, and no try helps', (kind, error) => {
    expect(read(error)).toMatchObject({ kind, isRetryable: false })
  })

  it('is not taken for an overflow because a text says so', () => {
    expect(read(new Error('prompt is too long: 5 tokens > 4 maximum')).kind).toBe('invalid-request')
  })
})
