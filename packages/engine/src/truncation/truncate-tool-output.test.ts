import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outputText } from '../messages/render-text.ts'
import { PRESETS } from '../policy/presets.ts'
import { arbitraryJunk, arbitraryText } from '../testing/arbitrary-conversation.ts'
import { file, image, text } from '../testing/build-conversation.ts'
import { truncateToolOutput } from './truncate-tool-output.ts'

const HEAD = PRESETS.oneclaw.toolResults
const HEAD_TAIL = PRESETS.longhaul.toolResults

describe('head', () => {
  test('ONE-07 exactly 30,000 characters stay untouched', () => {
    const output = 'a'.repeat(30_000)
    expect(truncateToolOutput(output, HEAD)).toEqual({
      output,
      truncated: false,
      totalChars: 30_000,
      keptChars: 30_000,
    })
  })

  test('ONE-07 30,001 characters become the first 30,000, two newlines and the marker, to the letter', () => {
    const cut = truncateToolOutput('a'.repeat(30_001), HEAD)
    expect(cut.output).toBe(
      `${'a'.repeat(30_000)}\n\n[... content truncated, showing first 30000 characters of 30001 total ...]`,
    )
    expect(cut).toMatchObject({ truncated: true, totalChars: 30_001, keptChars: 30_000 })
  })

  test('ONE-07 the marker counts the characters really kept', () => {
    const cut = truncateToolOutput(`${'a'.repeat(29_999)}😀${'b'.repeat(10)}`, HEAD)
    expect(cut.output).toBe(
      `${'a'.repeat(29_999)}\n\n[... content truncated, showing first 29999 characters of 30011 total ...]`,
    )
    expect(cut.keptChars).toBe(29_999)
  })

  test('ONE-08 error texts are cut like any other, and an error object by its message', () => {
    const message = `Error: ${'x'.repeat(40_000)}`
    expect(truncateToolOutput(new Error(message), HEAD)).toEqual(truncateToolOutput(message, HEAD))
  })

  test('MICRO-02 the limit is policy: micro keeps 40,000', () => {
    const { toolResults } = PRESETS.micro
    expect(truncateToolOutput('a'.repeat(40_000), toolResults).truncated).toBe(false)
    expect(truncateToolOutput('a'.repeat(40_001), toolResults).keptChars).toBe(40_000)
  })

  test('LH-02 the exact marker has no line about artifacts unless there is one', () => {
    const policy = { maxChars: 10, keep: 'head' } as const
    expect(truncateToolOutput('a'.repeat(11), { ...policy, artifactId: null }).output).not.toContain('read_artifact')
    expect(truncateToolOutput('a'.repeat(11), { ...policy, artifactId: 'art-1' }).output).toMatch(
      /of 11 total \.\.\.\]\nRead the rest with read_artifact id=art-1 offset=10$/,
    )
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -5, 0.4])(
    'ONE-08 a limit of %s falls to the default 30,000',
    (maxChars) => {
      expect(truncateToolOutput('a'.repeat(30_001), { maxChars, keep: 'head' }).keptChars).toBe(30_000)
    },
  )
})

describe('head-tail', () => {
  test('LH-02 head and tail share the limit, and the marker says how to read the rest', () => {
    const output = `${'h'.repeat(50_000)}${'t'.repeat(50_000)}`
    const cut = truncateToolOutput(output, { ...HEAD_TAIL, artifactId: 'art-1' })
    expect(cut.output).toBe(
      [
        'h'.repeat(21_000),
        '[... content truncated, showing first 21000 and last 9000 characters of 100000 total ...]\n' +
          'Read the rest with read_artifact id=art-1 offset=21000',
        't'.repeat(9_000),
      ].join('\n\n'),
    )
    expect(cut).toMatchObject({ truncated: true, totalChars: 100_000, keptChars: 30_000 })
  })

  test('LH-02 exactly at the limit nothing is cut, one more and the middle goes', () => {
    expect(truncateToolOutput('a'.repeat(30_000), HEAD_TAIL).truncated).toBe(false)
    expect(truncateToolOutput('a'.repeat(30_001), HEAD_TAIL).truncated).toBe(true)
  })

  test('LH-02 a cut moves to a newline in the last tenth of the head and the first tenth of the tail', () => {
    const policy = { maxChars: 100, keep: 'head-tail' } as const
    const nearby = `${'h'.repeat(65)}\n${'x'.repeat(200)}\n${'t'.repeat(28)}`
    expect(truncateToolOutput(nearby, policy).output).toMatch(/^h{65}\n\n\[.* first 65 and last 28 .*\]\n\nt{28}$/)
    const far = `${'h'.repeat(60)}\n${'x'.repeat(200)}\n${'t'.repeat(20)}`
    expect(truncateToolOutput(far, policy).output).toMatch(
      /^h{60}\nx{9}\n\n\[.* first 70 and last 30 .*\]\n\nx{9}\nt{20}$/,
    )
  })

  test('LH-02 a limit too small for a tail keeps a head', () => {
    expect(truncateToolOutput('abcdef', { maxChars: 3, keep: 'head-tail' }).output).toBe(
      'abc\n\n[... content truncated, showing first 3 characters of 6 total ...]',
    )
  })
})

describe('lists of parts', () => {
  const policy = { maxChars: 10, keep: 'head' } as const

  test('ONE-08 text parts share the limit in order; images and files stay', () => {
    const parts = [text('12345'), image(), text('67890abc'), file(), text('gone')]
    expect(truncateToolOutput(parts, policy)).toEqual({
      output: [
        text('12345'),
        image(),
        text('67890\n\n[... content truncated, showing first 10 characters of 17 total ...]'),
        file(),
      ],
      truncated: true,
      totalChars: 17,
      keptChars: 10,
    })
  })

  test('ONE-08 a cut between two parts marks the first of them', () => {
    const { output } = truncateToolOutput([text('1234567890'), text('more')], policy)
    expect(output).toEqual([text('1234567890\n\n[... content truncated, showing first 10 characters of 14 total ...]')])
  })

  test('LH-02 the tail may lie in another part than the head', () => {
    const parts = [text('h'.repeat(20)), text('middle'), image(), text(`m${'t'.repeat(3)}`)]
    expect(truncateToolOutput(parts, { maxChars: 10, keep: 'head-tail', artifactId: 'x' }).output).toEqual([
      text(
        `${'h'.repeat(7)}\n\n[... content truncated, showing first 7 and last 3 characters of 30 total ...]\nRead the rest with read_artifact id=x offset=7`,
      ),
      image(),
      text('ttt'),
    ])
  })

  test('LH-02 the offset counts in the text of the full output', () => {
    const parts = [text('12345'), image(), text('67890abc')]
    const { output } = truncateToolOutput(parts, { ...policy, artifactId: 'x' })
    const offset = Number(/offset=(\d+)/.exec(outputText(output))?.[1])
    expect(outputText(parts).slice(offset)).toBe('abc')
  })

  test('ONE-08 images alone are never cut, whatever their size', () => {
    const parts = [{ type: 'image', image: 'A'.repeat(100_000) }]
    expect(truncateToolOutput(parts, HEAD)).toEqual({ output: parts, truncated: false, totalChars: 0, keptChars: 0 })
  })

  test('ONE-08 other values are kept as their text', () => {
    expect(truncateToolOutput({ status: 'ok' }, HEAD).output).toBe('{"status":"ok"}')
    expect(truncateToolOutput(null, HEAD).output).toBe('')
    expect(truncateToolOutput({ rows: 'r'.repeat(50_000) }, HEAD).keptChars).toBe(30_000)
  })
})

describe('any value', () => {
  const anyPolicy = fc.record({
    maxChars: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.double()),
    keep: fc.constantFrom('head' as const, 'head-tail' as const),
    artifactId: fc.constantFrom(null, 'art-1'),
  })

  test('ONE-08 never throws and always gives a valid output', () => {
    const hostile = {
      get type(): string {
        throw new Error('read me not')
      },
    }
    const values = fc.oneof(fc.anything(), arbitraryJunk(), fc.array(fc.anything()), fc.constant([hostile]))
    fc.assert(
      fc.property(values, anyPolicy, (value, policy) => {
        const { output, totalChars, keptChars, truncated } = truncateToolOutput(value, policy)
        expect(typeof output === 'string' || Array.isArray(output)).toBe(true)
        expect(keptChars).toBeLessThanOrEqual(totalChars)
        expect(truncated).toBe(keptChars < totalChars)
      }),
    )
  })

  test('ONE-08 never splits a surrogate pair and never keeps more than the limit', () => {
    const parts = fc.array(arbitraryText().map(text), { maxLength: 4 })
    const maxChars = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(fc.oneof(arbitraryText(), parts), maxChars, anyPolicy, (output, max, policy) => {
        const cut = truncateToolOutput(output, { ...policy, maxChars: max })
        expect(cut.keptChars).toBeLessThanOrEqual(cut.truncated ? max : cut.totalChars)
        expect(outputText(cut.output).isWellFormed() || !outputText(output).isWellFormed()).toBe(true)
      }),
    )
  })

  // How long it takes is measured by `npm run bench -- speed`.
  test('ONE-08 1 MB is cut to its limit, head and tail', () => {
    const output = 'a line of output\n'.repeat(65_536)
    expect(truncateToolOutput(output, HEAD)).toMatchObject({ truncated: true, keptChars: HEAD.maxChars })
    const both = truncateToolOutput(output, HEAD_TAIL)
    expect(both.totalChars).toBe(output.length)
    expect(both.keptChars).toBeLessThanOrEqual(HEAD_TAIL.maxChars)
    expect(both.keptChars).toBeGreaterThan(HEAD_TAIL.maxChars * 0.9)
  })
})
