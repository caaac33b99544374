import { expect, it } from 'vitest'
import { ensureLanguage } from './ensure-language.ts'

it('a language that is none becomes one, and every other stays', () => {
  const posix = { language: 'en-US@posix' }
  ensureLanguage(posix)
  expect(posix.language).toBe('en')
  const german = { language: 'de-DE' }
  ensureLanguage(german)
  expect(german.language).toBe('de-DE')
})
