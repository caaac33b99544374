/** A stretch of a text, from its first character to behind its last. */
interface Stretch {
  readonly from: number
  readonly to: number
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/
const FENCE_ANYWHERE = /^ {0,3}(?:`{3,}|~{3,})/m
const BANNER = /^[=_~]{8,}/
/** Programs announce what they put into a message: `[tool output]` on a line of its own. */
const LABEL = /^\[[\p{L}\p{N} _:-]{3,60}\]\s*$/u
/** Numbered lines, boxes, prompts, stack traces and diffs. */
const PRINTED_START = /^\s*(?:[│┃⋮{}<>;$]|\d+\s?[:→|│]|at \S+ ?\(|File "|[E>] {2,}|@@|\+\+\+|[\w./-]+:\d+:|[=~^*-]{8,})/
/** A line of a listing: one path and nothing else. */
const LISTED = /^[\w./@-]*[./][\w./@-]*:?$/
/** An assignment, or an indent that is no list's. */
const CODE = /^(?:\s*[\w.$\]['"[]+\s[-+*/|]?=\s\S|(?: {4,}|\t+)(?! *[-*•]|\s*\d+[.)]))/
const CODE_SIGNS = /[{}[\]();=<>"|\\:,]/g
/** Prose has a sign for every eighth character at most; code and data have more. */
const MAX_SIGN_SHARE = 0.14
const MIN_LINE_CHARS = 24
/** A message with so many printed lines among so many is a paste, with its headings too. */
const MIN_PASTE_LINES = 12
const MIN_PASTE_SHARE = 0.4

/**
 * The lines of a message that a program printed or that are code: fenced blocks, numbered lines, logs, data. Whoever
 * pastes them, or writes code, names a hundred things without meaning each of them.
 */
function findPrinted(text: string): readonly Stretch[] {
  const lines = text.split('\n')
  const printed = markLines(lines)
  const count = printed.filter(Boolean).length
  const isPaste =
    !FENCE_ANYWHERE.test(text) && lines.length >= MIN_PASTE_LINES && count > lines.length * MIN_PASTE_SHARE
  const stretches: Stretch[] = []
  let from = 0
  for (const [place, line] of lines.entries()) {
    if (isPaste || printed[place] === true) stretches.push({ from, to: from + line.length })
    from += line.length + 1
  }
  return stretches
}

function markLines(lines: readonly string[]): readonly boolean[] {
  const label = lines.findIndex((line) => LABEL.test(line))
  const [first, last] = [lines.findIndex(isBanner), lines.findLastIndex(isBanner)]
  let isFenced = false
  return lines.map((line, place) => {
    const isFence = FENCE.test(line)
    if (isFence) isFenced = !isFenced
    const isReport = last > first && place >= first && place <= last
    return isFence || isFenced || isReport || (label >= 0 && place >= label) || isPrinted(line)
  })
}

/** `==== test session starts ====`: programs divide what they print. */
function isBanner(line: string): boolean {
  return BANNER.test(line) && /[=_~]{8,}\s*$/.test(line)
}

function isPrinted(line: string): boolean {
  if (PRINTED_START.test(line) || LISTED.test(line) || CODE.test(line)) return true
  if (line.length < MIN_LINE_CHARS) return false
  return (line.match(CODE_SIGNS)?.length ?? 0) > line.length * MAX_SIGN_SHARE
}

/** Answers for places in ascending order whether a stretch has them. */
export function createPrintedCheck(text: string): (start: number) => boolean {
  const stretches = findPrinted(text)
  let next = 0
  return (start) => {
    // Names and quotations come after the tokens, from the start once more.
    if (start < (stretches[next]?.from ?? 0)) next = 0
    while (next < stretches.length && (stretches[next]?.to ?? 0) <= start) next += 1
    return start >= (stretches[next]?.from ?? Number.POSITIVE_INFINITY)
  }
}
