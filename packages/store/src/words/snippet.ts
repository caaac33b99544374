import { splitWords } from './split-words.ts'
import type { Phrase } from './read-query.ts'

const SNIPPET_CHARS = 200
const LEAD_CHARS = 60
/** A match behind this is shown by the start of the text instead: looking further would cost more than it shows. */
const LOOK_CHARS = 50_000

/** The words around the place where most of the query stands, on one line. */
export function makeSnippet(text: string, phrases: readonly Phrase[]): string {
  const looked = text.slice(0, LOOK_CHARS)
  const wanted = new Set(phrases.flat())
  let best = { at: 0, found: 0 }
  const places = [...looked.matchAll(/\S+/gu)].flatMap(({ 0: run, index }) => {
    const found = splitWords(run).filter((word) => isWanted(word, wanted))
    return found.length === 0 ? [] : [{ index, found }]
  })
  for (const [first, { index }] of places.entries()) {
    const near = new Set<string>()
    for (const place of places.slice(first, first + 50)) {
      if (place.index > index + SNIPPET_CHARS - LEAD_CHARS) break
      for (const word of place.found) near.add(word)
    }
    if (near.size > best.found) best = { at: index, found: near.size }
  }
  return cutAround(text, best.at)
}

/** Word stems differ by backend; the start of a word is enough to show where it stood. */
function isWanted(word: string, wanted: ReadonlySet<string>): boolean {
  if (wanted.has(word)) return true
  if (word.length < 4) return false
  for (const other of wanted) if (other.length >= 4 && (word.startsWith(other) || other.startsWith(word))) return true
  return false
}

function cutAround(text: string, at: number): string {
  const start = at <= LEAD_CHARS ? 0 : at - LEAD_CHARS
  const cut = text.slice(start, start + SNIPPET_CHARS)
  const line = cut.toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return `${start > 0 ? '… ' : ''}${line}${start + SNIPPET_CHARS < text.length ? ' …' : ''}`
}
