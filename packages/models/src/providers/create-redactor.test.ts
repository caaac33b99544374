import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from './create-redactor.ts'

describe('createRedactor', () => {
  it('blacks out a configured key wherever it stands', () => {
    const redact = createRedactor(['my-very-own-key-1234'])
    expect(redact('key=my-very-own-key-1234; again "my-very-own-key-1234"')).not.toContain('my-very-own')
  })

  it('blacks out a key that another one begins with, whole', () => {
    const redact = createRedactor(['abcdefgh', 'abcdefgh-ijklmnop'])
    expect(redact('it was abcdefgh-ijklmnop')).toBe('it was [redacted]')
  })

  it.each([
    ['sk', 'ant', 'api03', 'abcdefghijklmnop1234'].join('-'),
    'sk-proj-abcdefghijklmnop1234',
    'AIzaSyA-1234567890abcdefghijklmnopq',
    'gsk_abcdefghijklmnopqrstuvwx',
    'xai-abcdefghijklmnopqrstuvwx',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  ])('blacks out what looks like a key although nobody configured it: %s', (key) => {
    expect(createRedactor([])(`refused: ${key}.`)).not.toContain(key)
  })

  it.each([
    ['Authorization: Bearer abcdef0123456789', 'abcdef0123456789'],
    ['{"x-api-key":"abcdef0123456789"}', 'abcdef0123456789'],
    ['https://host/v1/models/x?alt=sse&key=abc123', 'abc123'],
    ['Incorrect API key provided: sk-test12********wxyz.', 'sk-test12'],
  ])('blacks out %s', (text, secret) => {
    expect(createRedactor([])(text)).not.toContain(secret)
  })

  it.each([
    'prompt is too long: 213462 tokens > 200000 maximum',
    "This model's maximum context length is 128000 tokens. However, you requested 131134 tokens",
    'invalid x-api-key',
    'The task-force found a risk-free disk.',
  ])('leaves the vendor’s words alone: %s', (text) => {
    expect(createRedactor(['a-key-of-mine'])(text)).toBe(text)
  })

  it('never lets a configured key through, whatever surrounds it', () => {
    const key = fc.string({ minLength: 6, maxLength: 40 }).filter((text) => !'[redacted]'.includes(text))
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        expect(createRedactor([secret])(before + secret + after)).not.toContain(secret)
      }),
    )
  })
})
