import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTold } from './told.ts'

describe('createTold', () => {
  test.each([
    ['see ABC-12, then go', 'ABC-12', true],
    ['see ABC-12, then go', 'ABC-1', false],
    ['15 files', '5 files', false],
    ['/app/src/a.ts and more', 'src/a.ts', true],
    ['/app/src/a.tsx', 'src/a.ts', false],
    ['the 2nd, then the 2nd time', 'the 2nd time', true],
    ['改用 pnpm，不要 npm', '改用 pnpm', true],
    ['改用 pnpm', '不要', false],
  ])('%j, looked through for %j: %s', (text, words, expected) => {
    expect(createTold(text).holds(words)).toBe(expected)
  })

  test('holds what was added, and a copy goes its own way', () => {
    const told = createTold('one')
    const copy = told.copy()
    told.add('two three')
    expect([told.holds('two three'), told.holds('one'), copy.holds('two three'), copy.holds('one')]).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(told.holds('one two')).toBe(false)
  })

  test('finds every whole piece of what it was told', () => {
    const word = fc.stringMatching(/^[a-c1é改./-]{1,4}$/)
    fc.assert(
      fc.property(fc.array(word), fc.array(word, { minLength: 1 }), fc.array(word), (before, piece, after) => {
        const told = createTold(before.join(' '))
        told.add(` ${piece.join(' ')} ${after.join(' ')}`)
        expect(told.holds(piece.join(' '))).toBe(true)
      }),
    )
  })
})
