import { describe, expect, test } from 'vitest'
import { READERS } from './readers.ts'
import type { Reader } from './readers/materials.ts'
import { count, measureScan, repeat, timeOf, tryReader } from './readers/measure.ts'
import type { Verdict } from './readers/measure.ts'
import { FRAMES, MORE_SEQUENCES, NUMBERED, SEQUENCES } from './readers/sequences.ts'

const CHARS = 200_000
/** Readers look at a text up to some hundred times, patterns more slowly than a scan; a square would be 200,000 times. */
const MOST_SCANS = 300
/** A reader that takes longer is made of many. Each of them is tried by itself at full length, and the whole with line feeds. */
const LONG_MS = 20

/** These look for frames in what a model replies; the text is tried inside them too. */
const LOOKS_FOR_FRAMES =
  /\/summary\/(?:reply\/|apply-reply|change-lines|check-summary|verify-quotes|redact)|message-words|neutralize/

const scanMs = measureScan(CHARS)
const slowest: { readonly name: string; readonly sequence: string; readonly ms: number }[] = []

describe('18.9 no reader of untrusted text takes more than linear time', () => {
  test.each(Object.keys(READERS).map((file) => [file]))('18.9 %s', (file) => {
    const slow: string[] = []
    for (const [name, read] of Object.entries(READERS[file] ?? {}))
      for (const tried of listTries(file, read)) slow.push(...findSlow(`${file}#${name}`, read, tried))
    expect(slow).toEqual([])
  })

  test('18.9 the slowest of them', () => {
    const worst = slowest.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
    console.log(
      `a plain scan of ${CHARS} characters takes ${scanMs.toFixed(2)} ms; the slowest readers:\n` +
        worst.map(({ name, sequence, ms }) => `  ${ms.toFixed(0)} ms ${name} ${JSON.stringify(sequence)}`).join('\n'),
    )
    expect(worst.length).toBeGreaterThan(0)
  })
})

interface Tried {
  /** As it is told where a reader is too slow with it. */
  readonly sequence: string
  readonly textOf: (chars: number) => string
  readonly chars: number
}

/**
 * Each sequence by itself at full length; between two letters, where nothing can be trimmed away, at a sixteenth; numbered
 * pieces at an eighth.
 */
function listTries(file: string, read: Reader): readonly Tried[] {
  const sample = repeat('a\n', CHARS / 16)
  const isLong = timeOf(() => [1, 2, 3, 4].map(() => read(sample))) > LONG_MS / 4
  const frames = LOOKS_FOR_FRAMES.test(file) ? FRAMES : []
  return [
    ...SEQUENCES.map((sequence): Tried => {
      const chars = isLong && sequence !== '\n' ? CHARS / 8 : CHARS
      return { sequence, textOf: (size) => repeat(sequence, size), chars }
    }),
    ...[...SEQUENCES, ...MORE_SEQUENCES].map((sequence) =>
      inFrame(['a', 'b'], sequence, isLong ? CHARS / 32 : CHARS / 16),
    ),
    ...frames.flatMap((frame) => SEQUENCES.map((sequence) => inFrame(frame, sequence, CHARS / 8))),
    ...NUMBERED.map((pieceOf): Tried => {
      return { sequence: `${pieceOf(1)}…`, textOf: (size) => count(pieceOf, size), chars: CHARS / 8 }
    }),
  ]
}

function inFrame([before, after]: readonly [string, string], sequence: string, chars: number): Tried {
  return { sequence: before + sequence, textOf: (size) => `${before}${repeat(sequence, size)}${after}`, chars }
}

function findSlow(name: string, read: Reader, { sequence, textOf, chars }: Tried): readonly string[] {
  const run = (scan: number): Verdict =>
    tryReader({ read, textOf, chars, allowedMs: (scan * MOST_SCANS * chars) / CHARS })
  const first = run(scanMs)
  // What shares the processor slows a scan down as well: by now it may be slower than at the start.
  const { ms, chars: at, isTooSlow } = first.isTooSlow ? run(Math.max(scanMs, measureScan(CHARS))) : first
  slowest.push({ name, sequence, ms })
  return isTooSlow ? [`${name}: ${ms.toFixed(0)} ms for ${at} characters of ${JSON.stringify(sequence)}`] : []
}
