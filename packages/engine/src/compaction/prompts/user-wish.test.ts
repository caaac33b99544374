import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryText } from '../../testing/arbitrary-conversation.ts'
import { namesLanguage, readUserWish } from './user-wish.ts'

describe('readUserWish', () => {
  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['blanks', ' \t\n'],
    ['no-break spaces', '\u00a0\u202f'],
    ['zero-width characters', '\u200b\u200d\ufeff\u2060'],
    ['fillers and blanks that look like letters', '\u3164\u2800\u3000'],
  ])('OPEN-14 takes %s for no wish', (_, instructions) => {
    expect(readUserWish(instructions)).toBeNull()
  })

  test('OPEN-14 keeps what the user wrote', () => {
    expect(readUserWish('  Focus on decisions \n')).toBe('Focus on decisions')
  })

  test('OPEN-14 keeps at most 800 code points and whole characters', () => {
    expect(readUserWish('😀'.repeat(900))).toBe('😀'.repeat(800))
    fc.assert(
      fc.property(
        fc.oneof(
          arbitraryText(),
          fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.repeat(40)),
        ),
        (text) => {
          const wish = readUserWish(text)
          expect(Array.from(wish ?? '').length).toBeLessThanOrEqual(800)
          expect((wish ?? '').isWellFormed()).toBe(true)
        },
      ),
    )
  })
})

describe('namesLanguage', () => {
  test.each(['in English please', 'auf Deutsch', 'en français', '用英文写', 'translate it'])(
    'hears it in "%s"',
    (wish) => {
      expect(namesLanguage(wish)).toBe(true)
    },
  )

  test.each(['Focus on decisions and open questions', 'behalte alle Pfade'])('hears nothing in "%s"', (wish) => {
    expect(namesLanguage(wish)).toBe(false)
  })
})
