import { expect, it } from 'vitest'
import { countSourceLines } from './count-source-lines.ts'

it('counts what is neither blank nor comment alone', () => {
  const text = `// About this file.
import { a } from 'a'

/** One line. */
export const b = a // and why
/**
 * Several lines.
 */
export const c = [
  b,
]
`
  expect(countSourceLines(text)).toBe(5)
})
