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
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text
  const whole = parseWhole(clean)
  if (Array.isArray(whole)) return collect(whole.map((value, index) => ({ line: index + 1, value })))
  if (isRecord(whole)) return { lines: [{ line: 1, value: whole }], skipped: [] }
  return parseEachLine(clean)
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

/** Cheap on JSON lines: parsing ends where the second line begins. */
function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const BEGINS_JSON: ReadonlySet<string> = new Set('{["-0123456789tfn')

/** Splits at line feeds only: U+2028 and its like may stand inside a JSON string. */
function parseEachLine(text: string): LineGroup {
  const values: { line: number; value: unknown }[] = []
  const skipped: SkippedLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const start = line.trimStart()[0]
    if (start === undefined) continue
    // A parser that refuses a line takes long for it, and a text may be nothing but such lines.
    if (!BEGINS_JSON.has(start)) {
      skipped.push({ line: index + 1, reason: 'not JSON' })
      continue
    }
    try {
      values.push({ line: index + 1, value: JSON.parse(line) })
    } catch {
      skipped.push({ line: index + 1, reason: 'not JSON' })
    }
  }
  const collected = collect(values)
  return { lines: collected.lines, skipped: inOrder([...skipped, ...collected.skipped]) }
}

function collect(values: readonly { readonly line: number; readonly value: unknown }[]): LineGroup {
  const lines: Line[] = []
  const skipped: SkippedLine[] = []
  for (const { line, value } of values) {
    if (isRecord(value)) lines.push({ line, value })
    else skipped.push({ line, reason: 'not a JSON object' })
  }
  return { lines, skipped }
}

export function inOrder(skipped: readonly SkippedLine[]): readonly SkippedLine[] {
  return skipped.toSorted((a, b) => a.line - b.line)
}
