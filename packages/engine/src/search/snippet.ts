import { sliceHead, sliceTail } from '../messages/slice-text.ts'
import type { Phrase } from './read-query.ts'
import { SPAN, splitWords } from './split-words.ts'

const SNIPPET_CHARS = 200
const LEAD_CHARS = 60
/** A match behind this is shown by the start of the text instead: looking further would cost more than it shows. */
const LOOK_CHARS = 50_000

/** The words around the place where most of the query stands, on one line. */
export function makeSnippet(text: string, phrases: readonly Phrase[]): string {
  const places = findPhrases(text.slice(0, LOOK_CHARS), phrases)
  let best = { at: 0, found: 0 }
  for (const [first, { at }] of places.entries()) {
    const near = new Set<Phrase>()
    for (let index = first; index < places.length; index += 1) {
      const place = places[index]
      if (place === undefined || place.at > at + SNIPPET_CHARS - LEAD_CHARS) break
      near.add(place.phrase)
    }
    if (near.size > best.found) best = { at, found: near.size }
  }
  return cutAround(text, best.at)
}

interface Place {
  readonly at: number
  readonly phrase: Phrase
}

function findPhrases(text: string, phrases: readonly Phrase[]): readonly Place[] {
  const words = placeWords(text)
  const wantedBy = new Map<string, readonly Phrase[]>()
  return words.flatMap(({ word, at }, index) => {
    let wanted = wantedBy.get(word)
    if (wanted === undefined) {
      wanted = phrases.filter((phrase) => startsPhrase(word, phrase))
      wantedBy.set(word, wanted)
    }
    return wanted
      .filter((phrase) => phrase.every((other, offset) => offset === 0 || words[index + offset]?.word === other))
      .map((phrase) => ({ at, phrase }))
  })
}

/** Each stretch is split once, however often it comes up: texts repeat their words. */
function placeWords(text: string): readonly { readonly word: string; readonly at: number }[] {
  const wordsIn = new Map<string, readonly string[]>()
  return [...text.matchAll(SPAN)].flatMap(({ 0: span, index: at }) => {
    const words = wordsIn.get(span) ?? splitWords(span)
    wordsIn.set(span, words)
    return words.map((word) => ({ word, at }))
  })
}

/** Word stems differ by backend; the start of a word is enough to show where it stood. */
function startsPhrase(word: string, [first = '', ...others]: Phrase): boolean {
  if (word === first) return true
  return (
    others.length === 0 &&
    Math.min(word.length, first.length) >= 4 &&
    (word.startsWith(first) || first.startsWith(word))
  )
}

function cutAround(text: string, at: number): string {
  const start = at <= LEAD_CHARS ? 0 : at - LEAD_CHARS
  const cut = sliceHead(sliceTail(text, text.length - start), SNIPPET_CHARS)
  const line = cut.toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return `${start > 0 ? '… ' : ''}${line}${start + SNIPPET_CHARS < text.length ? ' …' : ''}`
}
