import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { items, user } from '../testing/build-conversation.ts'
import { createExtractiveSummary } from './extractive-summary.ts'
import { redactSecrets } from './redact-secrets.ts'

const alphanumeric = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')),
    minLength: length,
    maxLength: length,
  })

/** Each with the text it stands in and the part that must go. */
const plantedSecret = fc.oneof(
  alphanumeric(40).map((key) => [`sk-proj-7${key}`, `sk-proj-7${key}`]),
  alphanumeric(16).map((key) => [`AKIA${key.toUpperCase()}`, `AKIA${key.toUpperCase()}`]),
  alphanumeric(36).map((key) => [`ghp_${key}`, `ghp_${key}`]),
  alphanumeric(24).map((key) => [`xoxb-${key}`, key]),
  alphanumeric(35).map((key) => [`AIza${key}`, key]),
  fc.tuple(alphanumeric(30), alphanumeric(30), alphanumeric(30)).map(([a, b, c]) => [`eyJ${a}.${b}.${c}`, c]),
  alphanumeric(64).map((key) => [`-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`, key]),
  alphanumeric(12).map((key) => [`password=9${key}`, key]),
  alphanumeric(20).map((key) => [`API_KEY: "${key}"`, key]),
  alphanumeric(30).map((key) => [`Authorization: Bearer 1${key}`, key]),
  alphanumeric(12).map((key) => [`postgres://app:${key}@db.example.com/x`, key]),
)

describe('redactSecrets', () => {
  test('a planted secret never comes through', () => {
    fc.assert(
      fc.property(arbitraryText(), plantedSecret, arbitraryText(), (before, [planted = '', secret = ''], after) => {
        expect(redactSecrets(`${before} ${planted} ${after}`)).not.toContain(secret)
      }),
    )
  })

  test('a planted secret reaches neither ledger nor summary', () => {
    fc.assert(
      fc.property(plantedSecret, ([planted = '', secret = '']) => {
        const span = items(user(`Always use ${planted} for the deploy.`))
        const document = createExtractiveSummary(span, {
          previousDocument: null,
          budgetTokens: 1_000,
          estimator: 'plain',
        })
        expect(JSON.stringify(document)).not.toContain(secret)
      }),
    )
  })

  test('says that something stood there', () => {
    expect(redactSecrets('password=hunter22 and more')).toBe('password=[redacted] and more')
    expect(redactSecrets('https://me:secret1@example.com/x')).toBe('https://me:[redacted]@example.com/x')
    expect(redactSecrets('curl -H "Authorization: Bearer abc123def456"')).toBe(
      'curl -H "Authorization: Bearer [redacted]"',
    )
  })

  test.each([
    'commit 0629d16a1b2c3d4e5f60718293a4b5c6d7e8f901',
    '258c7280-ae70-4798-800f-63464d01a85d',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'interface Login { password: string; token?: string }',
    'const token = readToken()',
    'apiKey: process.env.API_KEY',
    'password=$DB_PASSWORD',
    'max_tokens=4096, tokens: 128000',
    'the token budget is 20k',
    'key: value',
    'https://example.com/a:b@c',
    'the author of the password manager',
  ])('leaves alone: %s', (text) => {
    expect(redactSecrets(text)).toBe(text)
  })
})
