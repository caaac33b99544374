import { isRecord } from '@longhaul/engine/advanced'
import type { SkippedLine } from './imported-session.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Line {
  readonly line: number
  readonly value: Fields
}

/** The lines of one session, in order, beside those that hold no JSON object. */
export interface LineGroup {
  readonly lines: readonly Line[]
  readonly skipped: readonly SkippedLine[]
}

/** JSON objects one a line, or one JSON document: an object, or an array of objects. */
export function parseLines(text: string): LineGroup {
  const parser = createLineParser()
  parser.add(text)
  return parser.finish()
}

/** Reads a text that comes in pieces. It keeps the values of the lines, not their text. */
export interface LineParser {
  /** The JSON objects so far. */
  readonly lines: readonly Line[]
  add(piece: string): void
  finish(): LineGroup
}

/**
 * The first line that is not blank decides. Where it is JSON by itself, each line is read as it comes. Where it is not, it
 * is damaged, or the text is one document over many lines: the text is kept until its end shows which.
 */
export function createLineParser(): LineParser {
  const found = createFindings()
  /** The beginning of a line whose end has not come yet. */
  let begun: string[] = []
  let kept: string[] | null = null
  let isFirst = true

  function takeLine(end: string): string {
    const line = begun.length === 0 ? end : begun.join('') + end
    begun = []
    return line
  }

  function add(given: string): void {
    if (given === '') return
    const piece = isFirst && given.startsWith('\uFEFF') ? given.slice(1) : given
    isFirst = false
    if (kept !== null) return void kept.push(piece)
    let start = 0
    // Only line feeds end a line: U+2028 and its like may stand inside a JSON string.
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      const line = takeLine(piece.slice(start, end))
      if (found.isUnclear(line)) return void (kept = [line, piece.slice(end)])
      found.readLine(line)
      start = end + 1
    }
    if (start < piece.length) begun.push(piece.slice(start))
  }

  return {
    lines: found.lines,
    add,
    finish() {
      const text = kept?.join('') ?? takeLine('')
      if (kept === null && !found.isUnclear(text)) {
        found.readLine(text)
        return found.finish()
      }
      const whole = parseJson(text)
      if (Array.isArray(whole)) return collect(whole)
      if (isRecord(whole)) return { lines: [{ line: 1, value: whole }], skipped: [] }
      for (const line of splitLines(text)) found.readLine(line)
      return found.finish()
    },
  }
}

/** One at a time: a list of all lines may be many times as large as the text. */
function* splitLines(text: string): Generator<string> {
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}

interface Findings {
  readonly lines: readonly Line[]
  /** Whether the first line that is not blank is no JSON. */
  isUnclear(line: string): boolean
  readLine(line: string): void
  finish(): LineGroup
}

function createFindings(): Findings {
  const lines: Line[] = []
  const skipped = createSkipList()
  let count = 0
  let isAllBlank = true
  /** The value of the only line so far that is not blank. */
  let only: unknown

  return {
    lines,
    isUnclear: (line) => isAllBlank && line.trim() !== '' && parseJson(line) === undefined,
    readLine(text) {
      count += 1
      if (text === '' || text.trim() === '') return
      const value = parseJson(text)
      only = isAllBlank ? value : undefined
      isAllBlank = false
      if (isRecord(value)) lines.push({ line: count, value })
      else skipped.add(count, value === undefined ? 'not JSON' : 'not a JSON object')
    },
    finish: () => (Array.isArray(only) ? collect(only) : { lines, skipped: skipped.list() }),
  }
}

/** How many lines that could not be read are told one by one: a text of nothing else must not become a longer list. */
const MAX_SKIPPED = 1_000

export interface SkipList {
  add(line: number, reason: string): void
  /** In order; where there were more than are told, the last one says how many. */
  list(): readonly SkippedLine[]
}

export function createSkipList(known: readonly SkippedLine[] = []): SkipList {
  const kept: SkippedLine[] = [...known]
  let more = 0
  let lastLine = 0
  return {
    add(line, reason) {
      if (kept.length < MAX_SKIPPED) kept.push({ line, reason })
      else {
        more += 1
        lastLine = Math.max(lastLine, line)
      }
    },
    list() {
      const ordered = inOrder(kept)
      return more === 0
        ? ordered
        : [...ordered, { line: lastLine, reason: `the last of ${more} more that were skipped` }]
    },
  }
}

/** Starts a new group at each line that `isHeader` picks; what stands before the first belongs to the first. */
export function splitAtHeaders(group: LineGroup, isHeader: (value: Fields) => boolean): readonly LineGroup[] {
  const groups: { lines: Line[]; skipped: SkippedLine[] }[] = [{ lines: [], skipped: [] }]
  const waiting = group.skipped.toReversed()
  let hasHeader = false
  for (const line of group.lines) {
    const startsNext = isHeader(line.value) && hasHeader
    while ((waiting.at(-1)?.line ?? line.line) < line.line) groups.at(-1)?.skipped.push(...waiting.splice(-1))
    if (startsNext) groups.push({ lines: [], skipped: [] })
    hasHeader ||= isHeader(line.value)
    groups.at(-1)?.lines.push(line)
  }
  // One by one: they may be more than a call takes arguments.
  for (const left of waiting.toReversed()) groups.at(-1)?.skipped.push(left)
  return groups
}

/** Deeper than anything that people or programs write, and flat enough for whatever walks a value by calling itself. */
const MAX_DEPTH = 500

/** undefined: it is no JSON, or none that can be worked with. */
export function parseJson(text: string): unknown {
  // Most of what is no JSON shows at its first character, and saying no to an error costs far more.
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return undefined
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTooDeep(json: string): boolean {
  if (json.length < 2 * MAX_DEPTH) return false
  let depth = 0
  let isInText = false
  for (let index = 0; index < json.length; index += 1) {
    const sign = json.charCodeAt(index)
    if (isInText) {
      if (sign === BACKSLASH) index += 1
      else if (sign === QUOTE) isInText = false
    } else if (sign === QUOTE) isInText = true
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth += 1
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

function collect(values: readonly unknown[]): LineGroup {
  const lines: Line[] = []
  const skipped = createSkipList()
  for (const [index, value] of values.entries()) {
    if (isRecord(value)) lines.push({ line: index + 1, value })
    else skipped.add(index + 1, 'not a JSON object')
  }
  return { lines, skipped: skipped.list() }
}

export function inOrder(skipped: readonly SkippedLine[]): readonly SkippedLine[] {
  return skipped.toSorted((a, b) => a.line - b.line)
}
