export interface ExtractedSummary {
  readonly text: string
  /** The reply used the tags it was asked for: then it knew what its job was. */
  readonly isTagged: boolean
  /** An opening tag without its end. */
  readonly isUnclosed: boolean
}

/** What a reply says between its summary tags, or all of it where there are none. Models add preambles, fences and thoughts. */
export function extractSummary(reply: string): ExtractedSummary {
  const spoken = withoutThoughts(reply)
  const opening = findOpening(spoken)
  const closing = findClosing(spoken)
  if (opening === null) {
    const isTagged = closing >= 0 && spoken.slice(closing + CLOSING.length).trim() === ''
    const text = isTagged ? spoken.slice(0, closing) : spoken
    return { text: withoutPreamble(unwrap(text)), isTagged, isUnclosed: false }
  }
  const isUnclosed = closing < opening
  const text = isUnclosed ? spoken.slice(opening).replace(/\n```\s*$/, '') : spoken.slice(opening, closing)
  return { text: unwrap(text), isTagged: true, isUnclosed }
}

/** Words for "summary" in the languages that reply openers are known in. */
export const SUMMARY_WORD =
  /summar|recap|overview|zusammenfassung|überblick|résumé|synthèse|resumen|resumo|riassunto|riepilogo|sintesi|samenvatting|总结|摘要|概述|總結|要約|まとめ|요약|сводк|резюме/iu

const CLOSING = '</summary>'

/** Where the last closing tag stands; -1 without one. */
function findClosing(text: string): number {
  let at = -1
  for (const { index } of text.matchAll(/<\/summary>/gi)) at = index
  return at
}

/** The end of the first opening tag; one at the start of a line is preferred over one that a preamble merely mentions. */
function findOpening(text: string): number | null {
  const match = /^[ \t]*<summary(?:\s[^<>\n]*)?>/im.exec(text) ?? /<summary(?:\s[^<>\n]*)?>/i.exec(text)
  return match === null ? null : match.index + match[0].length
}

/** Thoughts come first, and there may be several; each is looked for from the end of the one before. */
const THOUGHT = /\s*<(think|thinking|thought|analysis|reasoning|scratchpad)>/iy
const THOUGHT_END = /<\/(think|thinking|thought|analysis|reasoning|scratchpad)>/gi

function withoutThoughts(reply: string): string {
  let from = 0
  for (;;) {
    THOUGHT.lastIndex = from
    const name = THOUGHT.exec(reply)?.[1]?.toLowerCase()
    if (name === undefined) return reply.slice(from)
    const end = findThoughtEnd(reply, name, THOUGHT.lastIndex)
    if (end !== null) from = end
    else return findOpening(reply.slice(from)) === null ? '' : reply.slice(from)
  }
}

function findThoughtEnd(reply: string, name: string, from: number): number | null {
  THOUGHT_END.lastIndex = from
  for (let match = THOUGHT_END.exec(reply); match !== null; match = THOUGHT_END.exec(reply)) {
    if (match[1]?.toLowerCase() === name) return THOUGHT_END.lastIndex
  }
  return null
}

/** Takes a fence off that holds the whole text and nothing but it; a fence that names a programming language holds code. */
function unwrap(text: string): string {
  const trimmed = text.trim()
  const match = /^(`{3,}|~{3,})(?:markdown|md|te?xt|plaintext|xml|html)?[ \t]*\n([\s\S]*?)\n?\1$/.exec(trimmed)
  const inner = match?.[2]
  return inner === undefined || inner.includes(match?.[1] ?? '```') ? trimmed : inner.trim()
}

/** "Here is the summary:" on a line of its own, with the summary after it. */
function withoutPreamble(text: string): string {
  const end = text.indexOf('\n')
  if (end < 0) return text
  const first = text.slice(0, end).trim()
  const isPreamble =
    first.length <= 200 && /[:：]\**$/.test(first) && !/^[#>*\-\d]/.test(first) && SUMMARY_WORD.test(first)
  const rest = text.slice(end).trim()
  return isPreamble && rest !== '' ? rest : text
}
