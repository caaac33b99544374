import { splitWords } from '@longhaul/engine/advanced'

/**
 * A text as PostgreSQL indexes it, one vector for each stretch of its words. The words come split and normalised, so no
 * parser or dictionary of the server touches them: all backends find the same, in every language, and nothing is lost
 * as a "stop word". In one vector, places end at 16,383 and a word is noted 255 times: phrases far into a long text
 * would not be found. Hence the stretches; each begins with the last words of the one before, for phrases across.
 */
export function writeVectors(text: string): readonly string[] {
  const words = splitWords(text)
  const vectors: string[] = []
  for (let start = 0; start < words.length; start += STRETCH_WORDS) {
    vectors.push(writeVector(words.slice(Math.max(0, start - MAX_PHRASE_WORDS), start + STRETCH_WORDS)))
  }
  return vectors
}

/** For a text that is a row of its own, and never long. */
export function writeShortVector(text: string): string {
  return writeVector(splitWords(text).slice(0, STRETCH_WORDS))
}

/** Longer phrases are looked for by their start. */
export const MAX_PHRASE_WORDS = 64

const STRETCH_WORDS = 3_000
const MAX_PLACES = 255

/** The literal form of a tsvector. Words are letters and digits alone, so that nothing needs escaping. */
function writeVector(words: readonly string[]): string {
  const places = new Map<string, number[]>()
  for (const [index, word] of words.entries()) {
    const known = places.get(word)
    if (known === undefined) places.set(word, [index + 1])
    else if (known.length < MAX_PLACES) known.push(index + 1)
  }
  let vector = ''
  for (const [word, numbers] of places) vector += `'${word}':${numbers.join(',')} `
  return vector
}
