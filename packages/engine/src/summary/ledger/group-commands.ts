import type { LedgerFact } from '../../transcript/summary-document.ts'

/** Commands that take one line: the newest of them, and how many others differ from it only in what of the output was shown. */
export interface AlikeCommands {
  readonly newest: LedgerFact
  readonly others: number
}

/** In the order of the best-ranked of each group. */
export function groupCommands(ranked: readonly LedgerFact[]): readonly AlikeCommands[] {
  return [...Map.groupBy(ranked, ({ text }) => stemOf(text)).values()].map((alike) => ({
    newest: alike.reduce((newest, fact) => (fact.lastSeq > newest.lastSeq ? fact : newest)),
    others: alike.length - 1,
  }))
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
