import type { Phrase } from './read-query.ts'

/** How soon more of the same word stops to count, and how much a long text is held back: the usual values. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** Those that hold any of the phrases, best first. Rare phrases weigh more than common ones. */
export function rankByWords<T extends { readonly words: readonly string[] }>(
  texts: readonly T[],
  phrases: readonly Phrase[],
): readonly (T & { readonly score: number })[] {
  const averageWords = texts.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, texts.length)
  const counts = texts.map(({ words }) => phrases.map((phrase) => countPhrase(words, phrase)))
  const weights = phrases.map((_, index) => {
    const holders = counts.filter((count) => (count[index] ?? 0) > 0).length
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
  })
  const ranked = texts.flatMap((text, place) => {
    const lengthFactor = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * text.words.length) / Math.max(1, averageWords)
    const score = weights.reduce((sum, weight, index) => {
      const count = counts[place]?.[index] ?? 0
      return sum + (weight * count * (SATURATION + 1)) / (count + SATURATION * lengthFactor)
    }, 0)
    return score > 0 ? [{ ...text, score }] : []
  })
  return ranked.toSorted((first, second) => second.score - first.score)
}

/** How often the words of a phrase stand next to each other. */
export function countPhrase(words: readonly string[], phrase: Phrase): number {
  const [first] = phrase
  let count = 0
  for (
    let place = first === undefined ? -1 : words.indexOf(first);
    place >= 0;
    place = words.indexOf(first as string, place + 1)
  ) {
    if (phrase.every((word, index) => words[place + index] === word)) count += 1
  }
  return count
}
