import { describe, expect, it } from 'vitest'
import { findMainArgument } from './main-argument.ts'

describe('the main argument of a call', () => {
  it.each([
    [{ offset: 3, path: 'src/a.ts' }, 'src/a.ts'],
    [{ command: 'npm run\n  test' }, 'npm run test'],
    [{ wanted: true, city: 'Oslo' }, 'Oslo'],
    [{ nested: { path: 'x' } }, ''],
    [{ path: ' ' }, ''],
    [{}, ''],
  ])('of %j is %j', (input, expected) => {
    expect(findMainArgument(input)).toBe(expected)
  })

  it('is cut to one line’s length', () => {
    expect(findMainArgument({ query: 'x'.repeat(500) })).toHaveLength(80)
  })
})
