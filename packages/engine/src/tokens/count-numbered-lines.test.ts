import { describe, expect, it } from 'vitest'
import { assistant, call, reasoning, result, tool, user } from '../testing/build-conversation.ts'
import { countNumberedLines } from './count-numbered-lines.ts'

/** The first line has none before it to count up from. */
function listing(lines: number, format: (number: number) => string): string {
  return Array.from({ length: lines }, (_, index) => `${format(index + 1)}some code\n`).join('')
}

describe('countNumberedLines', () => {
  it.each([
    ['cat -n', (number: number) => `${String(number).padStart(6)}\t`],
    ['an arrow', (number: number) => `${String(number).padStart(6)}→`],
    ['a bar', (number: number) => `${String(number).padStart(5, '0')}|`],
    ['no padding', (number: number) => `${number}→`],
  ])('LH-01 counts the lines of a file as printed with %s', (_, format) => {
    expect(countNumberedLines(tool(result('a', listing(120, format))))).toBe(119)
  })

  it('LH-01 counts on in a part of a file, and in each of several', () => {
    expect(countNumberedLines(tool(result('a', ' 98→a\n 99→\n100→c')))).toBe(2)
    expect(countNumberedLines(tool(result('a', '1→a\n2→b'), result('b', '1→a\n2→b\n3→c')))).toBe(3)
    expect(countNumberedLines(user('Look:\n  7→a\n  8→b\n  9→c\nIs this right?'))).toBe(2)
    const parts = [{ type: 'text', text: '1\ta\n2\tb' }] as const
    expect(countNumberedLines(tool(result('a', parts)))).toBe(1)
  })

  it.each([
    ['prose', 'In 1984\n1985 was better\n1986 too'],
    ['a table', '4096\t./docs\n12\t./src\n4108\t.'],
    ['a list', '1. one\n2. two\n3. three'],
    ['hits of a search', '12:const a\n13:const b\n14-}'],
    ['the same number again', '1→a\n1→b\n1→c'],
    ['numbers without end', `${'9'.repeat(400)}→a\n${'9'.repeat(400)}→b`],
    ['nothing', ''],
    ['line breaks', '\n\n\n'],
  ])('LH-01 does not take %s for a file', (_, text) => {
    expect(countNumberedLines(tool(result('a', text)))).toBe(0)
  })

  it('LH-01 leaves out what is written as JSON or thought', () => {
    const text = '1→a\n2→b\n3→c'
    expect(countNumberedLines(assistant(reasoning(text), call('a', 'write', { text })))).toBe(0)
  })

  it('LH-01 judges a huge text by its beginning, at the cost of the beginning', () => {
    const text = listing(2_000_000, (number) => `${number % 100}→`)
    const started = performance.now()
    const lines = countNumberedLines(tool(result('a', text)))
    expect(performance.now() - started).toBeLessThan(500)
    expect(Math.abs(lines / 1_980_000 - 1)).toBeLessThan(0.01)
  })
})
