import { describe, expect, it } from 'vitest'
import { ModelsError } from '../models-error.ts'
import type { ModelFailureKind } from '../port/model-failure.ts'
import { createUserPatterns } from './user-patterns.ts'

function refusal(pattern: string, kind: ModelFailureKind = 'input-overflow'): ModelsError {
  try {
    createUserPatterns([{ pattern, kind }])
  } catch (error) {
    if (error instanceof ModelsError) return error
  }
  throw new Error('It was not refused.')
}

describe('createUserPatterns', () => {
  it('finds the first pattern that fits, with its numbers', () => {
    const match = createUserPatterns([
      { pattern: 'never this', kind: 'auth' },
      { pattern: String.raw`SPEICHER VOLL: (?<actual>\d+) von (?<limit>\d+)`, kind: 'input-overflow' },
    ])
    const found = match('Fehler: Speicher voll: 9000 von 8192 Zeichen')
    expect(found?.kind).toBe('input-overflow')
    expect({ ...found?.groups }).toEqual({ actual: '9000', limit: '8192' })
    expect(match('something else')).toBeNull()
  })

  it('refuses a pattern that is no regular expression and says which', () => {
    const error = refusal('context (too long')
    expect(error.code).toBe('invalid-configuration')
    expect(error.message).toMatch(/^overflowPatterns\[0\]\.pattern: .*Unterminated group.*regular expression/)
  })

  it.each(['', 'x*', '.*', '(?:)'])('refuses %j, which every error would match', (pattern) => {
    expect(refusal(pattern).message).toContain('matches every error')
  })

  it('refuses a kind that no error of a provider can be', () => {
    expect(refusal('x', 'aborted').message).toMatch(/overflowPatterns\[0\]\.kind: expected one of input-overflow, /)
  })

  it('refuses a pattern of absurd length', () => {
    expect(refusal('x'.repeat(1_001)).message).toContain('longer than 1000 characters')
  })

  it.each([
    ['^(a+)+$', 'a'.repeat(20_000)],
    ['(?:a|a)*b', 'a'.repeat(20_000)],
    [String.raw`\s*\s*\s*\s*x`, ' '.repeat(20_000)],
  ])('stops %s when it runs away, and goes on to the next', (pattern, text) => {
    const match = createUserPatterns([
      { pattern, kind: 'auth' },
      { pattern: '!$', kind: 'refused' },
    ])
    expect(match(`${text}!`)?.kind).toBe('refused')
  })
})
