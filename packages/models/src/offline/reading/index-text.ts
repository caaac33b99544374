import { sliceHead, splitSentences } from '@longhaul/engine/advanced'
import { rememberByText } from '../text-memo.ts'
import { isQuestion } from './is-question.ts'
import { termsOf } from './terms.ts'

export interface Sentence {
  readonly text: string
  /** In their order. */
  readonly terms: readonly string[]
  readonly isQuestion: boolean
}

export interface IndexedText {
  readonly sentences: readonly Sentence[]
  /** The places of the sentences that hold a term. */
  readonly places: ReadonlyMap<string, readonly number[]>
}

/** A longer line is data; it is quoted a stretch at a time. */
const MAX_SENTENCE_CHARS = 400
const REMEMBERED_CHARS = 8_000_000

/** The sentences of a text, ready to be searched. Remembered by the text: a conversation is read once, not once a turn. */
export const indexText: (text: string) => IndexedText = rememberByText((text) => {
  const sentences = splitSentences(text)
    .flatMap(cutLong)
    .map((sentence) => ({ text: sentence, terms: termsOf(sentence), isQuestion: isQuestion(sentence) }))
    .filter(({ terms }) => terms.length > 0)
  const places = new Map<string, number[]>()
  for (const [place, { terms }] of sentences.entries())
    for (const term of new Set(terms)) {
      const known = places.get(term)
      if (known === undefined) places.set(term, [place])
      else known.push(place)
    }
  return { sentences, places }
}, REMEMBERED_CHARS)

function cutLong(sentence: string): readonly string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > MAX_SENTENCE_CHARS) {
    const head = sliceHead(rest, MAX_SENTENCE_CHARS)
    const space = head.lastIndexOf(' ')
    const piece = space > 0 ? head.slice(0, space) : head
    pieces.push(piece)
    rest = rest.slice(piece.length).trimStart()
  }
  return [...pieces, rest]
}
