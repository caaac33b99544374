import type { LedgerFact } from '../../transcript/summary-document.ts'

/** Commands that take one line: the best-ranked, and how many others differ from it only in what of the output they show. */
export interface AlikeCommands {
  readonly best: LedgerFact
  readonly others: number
}

export interface StemmedCommand {
  readonly fact: LedgerFact
  readonly stem: string
}

/**
 * The first `own` keep a line of their own, and so does what was run more than once: it will be typed that way again.
 * Each later one joins the line of its stem, if there is one.
 */
export function groupCommands(ranked: readonly StemmedCommand[], own: number): readonly AlikeCommands[] {
  const lines: { readonly best: LedgerFact; others: number }[] = []
  const byStem = new Map<string, { others: number }>()
  for (const [index, { fact, stem }] of ranked.entries()) {
    const known = byStem.get(stem)
    if (known !== undefined && index >= own && fact.count === 1) {
      known.others += 1
      continue
    }
    const line = { best: fact, others: 0 }
    lines.push(line)
    if (known === undefined) byStem.set(stem, line)
  }
  return lines
}

const SHOWS = /^\|\s*(?:head|tail|[ef]?grep|rg|sed -n|wc|less|more|cat|sort|uniq|cut|awk|tee|jq|tr|nl|column)(?![\w-])/
const REDIRECT = /\s*(?:[12]?>&[12]|&?[12]?>>?\s?\/dev\/null)(?=\s|;|$)/g
const LINE_RANGE = /(?<![\w.])\d{1,7}(?:,\s?(?:\d{1,7}|\$))?p(?!\w)|(?<=\b(?:head|tail)\s)-(?:n\s?)?\d{1,7}/g

/** What was run, without where its output goes and which lines of it were shown. */
export function stemOf(command: string): string {
  return command.slice(0, viewStart(command)).replace(REDIRECT, '').replace(LINE_RANGE, '#').replace(/\s+/g, ' ').trim()
}

/** Where the first pipe into a program that only shows begins; a pipe inside quotes is none. */
function viewStart(command: string): number {
  let quote = ''
  for (let at = 0; at < command.length; at += 1) {
    const char = command[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '|' && command[at - 1] !== '|' && SHOWS.test(command.slice(at, at + 20))) return at
  }
  return command.length
}
