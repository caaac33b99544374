import type { Reader } from './materials.ts'

/** Processor time of this thread for one run, in milliseconds. What other programs do meanwhile does not count. */
export function timeOf(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const made = new Map<string, string>()

/** A text of so many characters, made of one sequence. Made once: all readers are given the same texts. */
export function repeat(sequence: string, chars: number): string {
  const key = `${chars} ${sequence}`
  const text = made.get(key) ?? sequence.repeat(Math.ceil(chars / sequence.length)).slice(0, chars)
  made.set(key, text)
  return text
}

/** A text of so many characters, made of numbered pieces. */
export function count(pieceOf: (index: number) => string, chars: number): string {
  const key = `${chars} ${pieceOf(0)}`
  const known = made.get(key)
  if (known !== undefined) return known
  const pieces: string[] = []
  for (let length = 0; length < chars; length += pieces.at(-1)?.length ?? chars) pieces.push(pieceOf(pieces.length))
  const text = pieces.join('').slice(0, chars)
  made.set(key, text)
  return text
}

/** What it takes to look at every character of a long text once, in milliseconds. */
export function measureScan(chars: number): number {
  const text = repeat('aA1_ \n', chars)
  const runs = 40
  const scan = (): number => {
    let sum = 0
    for (let run = 0; run < runs; run += 1) for (const char of text) sum += char.codePointAt(0) ?? 0
    return sum
  }
  scan()
  return timeOf(scan) / runs
}

export interface Try {
  readonly read: Reader
  readonly textOf: (chars: number) => string
  readonly chars: number
  /** Processor time that a reader may take for that many characters. */
  readonly allowedMs: number
}

export interface Verdict {
  readonly ms: number
  readonly chars: number
  readonly isTooSlow: boolean
}

/** The clock of processor time moves in steps of some milliseconds; less is not told apart. */
const CLOCK_MS = 20
/** Four times the text takes four times as long, and somewhat more where memory runs out of the caches; not sixteen times. */
const MOST_GROWTH = 9
const NOTICEABLE_MS = 120

/**
 * Tries a reader, with a sixteenth of the text first: one that takes the square of the length is caught there or at a
 * quarter, before it could run for minutes. What is too slow is measured twice more, and the best run counts.
 */
export function tryReader({ read, textOf, chars, allowedMs }: Try): Verdict {
  const measure = (size: number): number => {
    const text = textOf(size)
    return timeOf(() => read(text))
  }
  const allowed = (size: number): number => CLOCK_MS + (allowedMs * size) / chars
  const settle = (size: number, limit: number): number => {
    let ms = measure(size)
    for (let more = 0; more < 2 && ms > limit; more += 1) ms = Math.min(ms, measure(size))
    return ms
  }
  const first = settle(chars / 16, allowed(chars / 16))
  if (first > allowed(chars / 16)) return { ms: first, chars: chars / 16, isTooSlow: true }
  if (first > allowed(chars) / 64) {
    const second = settle(chars / 4, allowed(chars / 4))
    if (second > allowed(chars / 4)) return { ms: second, chars: chars / 4, isTooSlow: true }
  }
  const ms = settle(chars, allowed(chars))
  if (ms > allowed(chars)) return { ms, chars, isTooSlow: true }
  if (ms < NOTICEABLE_MS) return { ms, chars, isTooSlow: false }
  const quarter = settle(chars / 4, 0)
  const grew = (time: number): boolean => time > MOST_GROWTH * Math.max(quarter, CLOCK_MS / 2)
  const again = grew(ms) ? Math.min(ms, settle(chars, 0)) : ms
  return { ms: again, chars, isTooSlow: grew(again) }
}
