import type { MessageEntry } from '../transcript/entry.ts'
import { knownText } from './message-text.ts'
import { recallTerms, shareOfTerm } from './recall-terms.ts'
import type { WordIndex } from './word-index.ts'

/** A line of a message that is not in the request. */
export interface RelevantLine {
  readonly entry: MessageEntry
  readonly text: string
  /** How much the words tell that it shares with the query. */
  readonly score: number
}

export interface FindLinesInput {
  readonly index: WordIndex
  readonly query: string
  /** The messages with these numbers, as far as they can be read. */
  readonly readAt: (seqs: readonly number[]) => Promise<readonly MessageEntry[]>
  readonly beforeSeq: number
}

/**
 * A line is clearly relevant if what it shares with the query tells this much, and at least half of what all of the
 * query tells. Both are absolute: where nothing fits, nothing is found. Decision 31 says how they were found.
 */
const MIN_SCORE = 10
const MIN_COVERAGE = 0.5
/** Lines that fit much less than the best of them are left out. */
const NEAR_BEST = 0.8
/** A line that tells nothing beyond the query is the query said before. */
const MIN_NEW_TERMS = 2

const MAX_MESSAGES = 5
const MAX_LINE_CHARS = 300
/** Few lines of that length have more. */
const MAX_LINE_TERMS = 50
/** As much text is looked at line by line, of one message and of all that were found. */
const MAX_LOOKED_CHARS = 10_000
const MAX_QUERY_CHARS = 4_000

/** Lines of earlier messages that are clearly about what a query is about, best first. Costs the same however long the log is. */
export async function findRelevantLines({
  index,
  query,
  readAt,
  beforeSeq,
}: FindLinesInput): Promise<readonly RelevantLine[]> {
  const wanted = new Map(recallTerms(query.slice(-MAX_QUERY_CHARS)).map((term) => [term, shareOfTerm(term)]))
  const told = new Map(Array.from(wanted, ([term, share]) => [term, share * index.weigh(term)]))
  const weights = [...told.values()]
  const mass = sum(weights)
  const minTold = Math.max(MIN_SCORE, mass * MIN_COVERAGE)
  // A query can be so long that no line has enough of its words.
  if (mass < minTold || sum(weights.toSorted((a, b) => b - a).slice(0, MAX_LINE_TERMS)) < minTold) return []
  const found = index.find(wanted, { beforeSeq, limit: MAX_MESSAGES, minTold })
  const entries = found.length === 0 ? [] : await readAt(found)
  const candidates = takeFirst(entries).flatMap((entry) => linesOf(entry).map((line) => ({ entry, ...line })))
  const fitting = candidates.flatMap(({ entry, text, terms }): RelevantLine[] => {
    let [score, added] = [0, 0]
    for (const term of terms) {
      const weight = told.get(term)
      if (weight === undefined) added += 1
      else score += weight
    }
    const isFitting = score >= minTold && added >= MIN_NEW_TERMS
    return isFitting ? [{ entry, text, score }] : []
  })
  const best = fitting.reduce((most, { score }) => Math.max(most, score), 0)
  const near = fitting.filter(({ score }) => score >= best * NEAR_BEST)
  return near.toSorted((a, b) => b.score - a.score || b.entry.seq - a.entry.seq)
}

/** The best messages, up to the one that fills what is looked at. */
function takeFirst(entries: readonly MessageEntry[]): readonly MessageEntry[] {
  let left = MAX_LOOKED_CHARS
  return entries.filter((entry) => {
    const isTaken = left > 0
    if (isTaken) left -= knownText(entry).length
    return isTaken
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])/

interface Line {
  readonly text: string
  readonly terms: ReadonlySet<string>
}

/** One query after the other looks at the same messages. */
const knownLines = new WeakMap<MessageEntry, readonly Line[]>()

export function linesOf(entry: MessageEntry): readonly Line[] {
  const known = knownLines.get(entry)
  if (known !== undefined) return known
  const texts = knownText(entry)
    .slice(0, MAX_LOOKED_CHARS)
    .split(/\n+/)
    .flatMap((line) => {
      const whole = line.trim()
      if (whole.length <= MAX_LINE_CHARS) return whole === '' ? [] : [whole]
      return whole.split(SENTENCE_END).map((sentence) => sentence.slice(0, MAX_LINE_CHARS).toWellFormed().trim())
    })
  const read = texts.map((text): Line => ({ text, terms: new Set(recallTerms(text)) }))
  knownLines.set(entry, read)
  return read
}
