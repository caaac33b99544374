import type { ByteText } from './bytes.ts'

/** The place of a value in a text: from its first character to the one behind its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * The members of the object that starts here, by key. A key that is escaped, or comes twice, is refused. `endOf` may know a
 * faster way to the end of a value.
 */
export function findMembers(
  text: ByteText,
  start: number,
  endOf: (key: string, at: number) => number = (_key, at) => endOfValue(text, at),
): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>()
  let at = skipSpace(text, expect(text, start, OPEN_OBJECT))
  if (text.charCodeAt(at) === CLOSE_OBJECT) return members
  for (;;) {
    const keyEnd = endOfString(text, at)
    const key = text.slice(at + 1, keyEnd - 1)
    const valueStart = skipSpace(text, expect(text, skipSpace(text, keyEnd), COLON))
    const value = { start: valueStart, end: endOf(key, valueStart) }
    if (members.has(key) || key.includes('\\')) throw new SyntaxError('A key is escaped or comes twice.')
    members.set(key, value)
    at = skipSpace(text, value.end)
    if (text.charCodeAt(at) === CLOSE_OBJECT) return members
    at = skipSpace(text, expect(text, at, COMMA))
  }
}

/** The elements of the list that starts here. */
export function findElements(text: ByteText, start: number): readonly Span[] {
  const elements: Span[] = []
  walkElements(text, start, (at) => {
    const end = endOfValue(text, at)
    elements.push({ start: at, end })
    return end
  })
  return elements
}

/** Is told where an element of a list starts, and says where it ends. */
export type VisitElement = (at: number, index: number) => number

/** Walks the elements of a list. Returns the list's end. */
export function walkElements(text: ByteText, start: number, visit: VisitElement): number {
  const at = skipSpace(text, expect(text, start, OPEN_LIST))
  return text.charCodeAt(at) === CLOSE_LIST ? at + 1 : walkOn(text, { at: visit(at, 0), index: 1 }, visit)
}

/** Walks on from the end of an element: `index` is the next one's. Returns the list's end. */
export function walkOn(
  text: ByteText,
  from: { readonly at: number; readonly index: number },
  visit: VisitElement,
): number {
  let at = skipSpace(text, from.at)
  for (let { index } = from; text.charCodeAt(at) !== CLOSE_LIST; index += 1) {
    at = skipSpace(text, expect(text, at, COMMA))
    at = skipSpace(text, visit(at, index))
  }
  return at + 1
}

export function endOfValue(text: ByteText, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return endOfString(text, start)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return endOfNested(text, start)
  let at = start
  while (isScalar(text.charCodeAt(at))) at += 1
  if (at === start) throw new SyntaxError('A value is missing.')
  return at
}

function endOfNested(text: ByteText, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  throw new SyntaxError('The text ends inside a value.')
}

/** Jumps from quote to quote: most of a conversation lies inside strings. */
function endOfString(text: ByteText, start: number): number {
  expect(text, start, QUOTE)
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at)
    if (at < 0) throw new SyntaxError('The text ends inside a string.')
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
}

export function skipSpace(text: ByteText, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at += 1
  }
}

function expect(text: ByteText, at: number, code: number): number {
  if (text.charCodeAt(at) !== code) throw new SyntaxError(`Expected ${String.fromCharCode(code)} at ${at}.`)
  return at + 1
}

/** Digits, letters, signs and dots: numbers and the three words. */
function isScalar(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e ||
    code === 0x45
  )
}
