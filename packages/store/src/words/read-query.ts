import { isUnspaced, splitWords } from './split-words.ts'

/** One thing a query asks for: words that stand next to each other. A message that holds any of them is a hit. */
export type Phrase = readonly string[]

const MAX_PHRASES = 32

/** Single words, but a run of a script without spaces as one phrase, or every character would be a hit of its own. */
export function readQuery(query: string): readonly Phrase[] {
  const phrases = new Map<string, Phrase>()
  for (const run of query.split(/\s+/u)) {
    for (const phrase of groupRuns(splitWords(run))) phrases.set(phrase.join(' '), phrase)
    if (phrases.size >= MAX_PHRASES) break
  }
  return [...phrases.values()].slice(0, MAX_PHRASES)
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
