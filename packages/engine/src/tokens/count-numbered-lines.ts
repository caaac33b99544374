import type { Message, Part, ToolOutput } from '../transcript/message.ts'

/** Of a longer text the beginning speaks for the rest, so that 50 MB cost what 256 KB do. */
const MAX_CHARS = 262_144

/** No file has more lines, and beyond some more digits adding one no longer changes a number. */
const MAX_DIGITS = 9
const SPACE = 32
const ZERO = 48
const NINE = 57
/** What file tools print between number and line: a tab (`cat -n`), an arrow, a bar. */
const SEPARATORS: ReadonlySet<number> = new Set([9, 0x2192, 124])

const memo = new WeakMap<Message, number>()

/**
 * Lines that begin with a number one above that of the line before: a file as file tools print it, not a table that has
 * numbers in its first column. They are counted because tokenizers differ more about number, padding and separator than
 * about any text. Remembered per message object.
 */
export function countNumberedLines(message: Message): number {
  const known = memo.get(message)
  if (known !== undefined) return known
  const lines = message.parts.reduce((sum, part) => sum + countInPart(part), 0)
  memo.set(message, lines)
  return lines
}

function countInPart(part: Part): number {
  switch (part.type) {
    case 'text':
      return countInText(part.text)
    case 'tool-result':
      return countInOutput(part.output)
    case 'reasoning':
    case 'tool-call':
    case 'image':
    case 'file':
      return 0
    default:
      return part satisfies never
  }
}

function countInOutput(output: ToolOutput): number {
  if (typeof output === 'string') return countInText(output)
  return output.reduce((sum, part) => sum + countInPart(part), 0)
}

function countInText(text: string): number {
  const end = Math.min(text.length, MAX_CHARS)
  let lines = 0
  let last = Number.NaN
  for (let at = 0; at < end; at = nextLine(text, at)) {
    const number = readLineNumber(text, at)
    if (number === last + 1) lines += 1
    last = number
  }
  return text.length > end ? Math.round(lines * (text.length / end)) : lines
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline + 1
}

/** NaN where the line does not begin with a number and a separator: not one above any other. */
function readLineNumber(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === SPACE) at += 1
  let number = 0
  const first = at
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) {
    number = number * 10 + code - ZERO
    at += 1
  }
  return at > first && at - first <= MAX_DIGITS && SEPARATORS.has(text.charCodeAt(at)) ? number : Number.NaN
}
