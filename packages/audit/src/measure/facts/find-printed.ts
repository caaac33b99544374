/** A stretch of a text, from its first character to behind its last. */
interface Stretch {
  readonly from: number
  readonly to: number
}

const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/
/** Numbered lines, boxes, prompts, stack traces and diffs. */
const PRINTED_START = /^\s*(?:[│┃⋮{}<>;$]|\d+\s?[:→|]|at \S+ ?\(|@@|\+\+\+|[\w./-]+:\d+:)/
const CODE_SIGNS = /[{}[\]();=<>"|\\:,]/g
/** Prose has a sign for every eighth character at most; code and data have more. */
const MAX_SIGN_SHARE = 0.14
const MIN_LINE_CHARS = 24

/**
 * The lines of a message that a program printed or that are code: fenced blocks, numbered lines, logs, data. Whoever
 * pastes them, or writes code, names a hundred things without meaning each of them.
 */
export function findPrinted(text: string): readonly Stretch[] {
  const stretches: Stretch[] = []
  let from = 0
  let isFenced = false
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line)
    if (isFenced || isFence || isPrinted(line)) stretches.push({ from, to: from + line.length })
    if (isFence) isFenced = !isFenced
    from += line.length + 1
  }
  return stretches
}

function isPrinted(line: string): boolean {
  if (PRINTED_START.test(line)) return true
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
