import { withoutOwnWords } from '../own-words.ts'
import type { IndexedText, Sentence } from '../reading/index-text.ts'
import { indexText } from '../reading/index-text.ts'
import type { Passage } from '../reading/read-conversation.ts'
import type { Origin } from '../reading/split-origins.ts'
import { isFaint } from '../reading/terms.ts'
import type { Question } from './read-questions.ts'

/** A sentence of the context that speaks of what was asked. */
export interface Evidence {
  readonly sentence: Sentence
  readonly passage: Passage
  /** Larger is newer. */
  readonly order: number
  /** 0 to 1: how much of the question it speaks of, rare words first. */
  readonly coverage: number
  readonly score: number
  /** Words of the question it holds, each with its share of the question. */
  readonly matched: ReadonlyMap<string, number>
  /** 0 to 1: how many of the words that tell something stand here or right beside. */
  readonly telling: number
}

/** Who is believed before whom, where the words fit equally well. */
const TRUST: Readonly<Record<Origin, number>> = {
  user: 1,
  pin: 1,
  summary: 0.98,
  tool: 0.9,
  assistant: 0.85,
  system: 0.8,
}
/** A word that means little, and a word that only stands in the sentence before or after. */
const FAINT_SHARE = 0.35
const BESIDE_SHARE = 0.4
const LONG_SENTENCE_TERMS = 12

/** Every sentence that shares a word with the question, best first; of equal ones the newest. Questions are no evidence. */
export function findEvidence(question: Question, passages: readonly Passage[]): readonly Evidence[] {
  const indexed = passages.map((passage) => indexText(readable(passage)))
  const weighed = weighTerms(question, indexed)
  const shares = new Map(weighed.map(({ term, share }) => [term, share]))
  const telling = new Set(weighed.filter(({ isTelling }) => isTelling).map(({ term }) => term))
  const found: Evidence[] = []
  let before = 0
  for (const [index, { sentences, places }] of indexed.entries()) {
    const passage = passages[index] as Passage
    const held = placeTerms(shares, places)
    for (const [place, matched] of held) {
      const sentence = sentences[place] as Sentence
      if (sentence.isQuestion || isEcho(sentence, passage) || isCutOff(sentence, passage)) continue
      if (question.isOnSpeaker && telling.size === 1 && isOnOthers(sentence, passage)) continue
      const beside = new Map(
        [...(held.get(place - 1) ?? []), ...(held.get(place + 1) ?? [])].filter(([term]) => !matched.has(term)),
      )
      const coverage = sumOf(matched.values()) + BESIDE_SHARE * sumOf(beside.values())
      const fit =
        TRUST[passage.origin] * brevityOf(sentence) * nearnessOf(sentence, matched) * lookOf(sentence, question)
      const told = [...matched.keys(), ...beside.keys()].filter((term) => telling.has(term)).length
      found.push({
        sentence,
        passage,
        order: before + place,
        coverage,
        score: coverage * fit,
        matched,
        telling: telling.size === 0 ? 1 : told / telling.size,
      })
    }
    before += sentences.length
  }
  return found.toSorted((a, b) => b.score - a.score || b.order - a.order)
}

/** What counts of a passage: not what the model said of itself, and of a summary's lists each entry by itself. */
function readable({ origin, text }: Passage): string {
  if (origin === 'assistant') return withoutOwnWords(text)
  return origin === 'summary' ? text.replaceAll(LIST_LINE, (line) => line.replaceAll('; ', ';\n')) : text
}

const LIST_LINE = /^.*(?:; .*){4,}$/gm

interface WeighedTerm {
  readonly term: string
  readonly share: number
  readonly isTelling: boolean
}

/** Shares that sum up to 1: rare words weigh more, and words that mean little, less. */
function weighTerms(
  { terms, kindTerm, isOnSpeaker }: Question,
  indexed: readonly IndexedText[],
): readonly WeighedTerm[] {
  const total = sumOf(indexed.map(({ sentences }) => sentences.length))
  const weighed = terms.map((term) => {
    const count = sumOf(indexed.map(({ places }) => places.get(term)?.length ?? 0))
    const isTelling = !isFaint(term) && !(isOnSpeaker && term === kindTerm && count === 0)
    return { term, weight: rarityOf(count, total) * (isTelling ? 1 : FAINT_SHARE), isTelling }
  })
  const sum = sumOf(weighed.map(({ weight }) => weight))
  return weighed.map(({ term, weight, isTelling }) => ({ term, share: weight / sum, isTelling }))
}

/** For each sentence the words of the question it holds. */
function placeTerms(
  shares: ReadonlyMap<string, number>,
  places: IndexedText['places'],
): ReadonlyMap<number, Map<string, number>> {
  const held = new Map<number, Map<string, number>>()
  for (const [term, share] of shares)
    for (const place of places.get(term) ?? []) {
      const known = held.get(place) ?? new Map<string, number>()
      held.set(place, known.set(term, share))
    }
  return held
}

/** As in BM25. A word that nobody used may be another word for one that somebody did, so it counts as used once. */
function rarityOf(count: number, total: number): number {
  const used = Math.max(1, count)
  return Math.log(1 + (Math.max(total, used) - used + 0.5) / (used + 0.5))
}

/** A search that found nothing tells what was looked for. */
const FOUND_NOTHING =
  /\b(?:no|nothing|none|zero|0)\b.{0,40}\b(?:match|result|found|hit|entr|memor|note)|\bnot found\b|"?\bquery"?\s*:/i

function isEcho({ text }: Sentence, { origin }: Passage): boolean {
  return origin === 'tool' && FOUND_NOTHING.test(text)
}

/** A heading of a summary, or where it ran out of room in the middle: what was asked for is what is missing. */
function isCutOff({ text }: Sentence, { origin }: Passage): boolean {
  return origin === 'summary' && /^#{1,6} |(?:…|\.\.\.)["'”]?\s*$/.test(text)
}

/** "Where do I live?" is not answered by "the scripts live in tools/". */
function isOnOthers({ text }: Sentence, { origin }: Passage): boolean {
  return origin === 'user' && !/\b(?:I|me|my|mine|we|us|our|ich|mein|wir)\b|我|咱/i.test(text)
}

function brevityOf({ terms }: Sentence): number {
  return 1 / (1 + 0.15 * Math.log(1 + terms.length / LONG_SENTENCE_TERMS))
}

/** Up to a seventh more where the words of the question stand together. */
function nearnessOf({ terms }: Sentence, matched: ReadonlyMap<string, number>): number {
  if (matched.size < 2) return 1
  const first = terms.findIndex((term) => matched.has(term))
  const last = terms.findLastIndex((term) => matched.has(term))
  return 1 + 0.15 * ((matched.size - 1) / Math.max(1, last - first))
}

function lookOf({ text }: Sentence, { expects }: Question): number {
  if (expects === null) return 1
  return expects.test(text) ? 1.15 : 0.8
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}
