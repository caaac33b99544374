import { isUnspaced, splitWords } from './split-words.ts'

/** One thing a query asks for: words that stand next to each other. A message that holds any of them is a hit. */
export type Phrase = readonly string[]

const MAX_PHRASES = 32

/**
 * Single words. A run of a script without spaces is a phrase as a whole, for otherwise every character would be a hit of
 * its own; the words a dictionary finds in it are phrases too, for otherwise a question would find nothing.
 */
export function readQuery(query: string): readonly Phrase[] {
  const phrases = new Map<string, Phrase>()
  for (const run of query.slice(0, MAX_QUERY_CHARS).split(/\s+/u)) {
    for (const phrase of phrasesIn(run)) phrases.set(phrase.join(' '), phrase)
    if (phrases.size >= MAX_PHRASES) break
  }
  return [...phrases.values()].slice(0, MAX_PHRASES)
}

const MAX_QUERY_CHARS = 10_000
const dictionary = new Intl.Segmenter('und', { granularity: 'word' })

function phrasesIn(run: string): readonly Phrase[] {
  const phrases = groupRuns(splitWords(run))
  if (!isUnspaced(run)) return phrases
  const found = [...dictionary.segment(run)].map(({ segment }) => splitWords(segment))
  return [...phrases, ...found.filter((words) => words.length > 1 && words.every(isUnspaced))]
}

function groupRuns(words: readonly string[]): readonly Phrase[] {
  const phrases: string[][] = []
  let isOpen = false
  for (const word of words) {
    const joins = isUnspaced(word)
    if (joins && isOpen) phrases.at(-1)?.push(word)
    else phrases.push([word])
    isOpen = joins
  }
  return phrases
}
