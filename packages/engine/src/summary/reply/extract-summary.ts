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
  const closing = spoken.toLowerCase().lastIndexOf(CLOSING)
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

/** The end of the first opening tag; one at the start of a line is preferred over one that a preamble merely mentions. */
function findOpening(text: string): number | null {
  const match = /^[ \t]*<summary(?:\s[^<>\n]*)?>/im.exec(text) ?? /<summary(?:\s[^<>\n]*)?>/i.exec(text)
  return match === null ? null : match.index + match[0].length
}

function withoutThoughts(reply: string): string {
  const match = /^\s*<(think|thinking|thought|analysis|reasoning|scratchpad)>/i.exec(reply)
  if (match === null) return reply
  const end = `</${match[1] ?? ''}>`
  const at = reply.toLowerCase().indexOf(end.toLowerCase())
  if (at >= 0) return withoutThoughts(reply.slice(at + end.length))
  return findOpening(reply) === null ? '' : reply
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
