/** Finds messages by their words, rare words first (BM25). Independent of the stores' search: it measures what search can do at all. */
export interface WordIndex {
  /** Numbers of the texts that fit best, best first, among those before `before`. */
  search(words: readonly string[], before: number): readonly number[]
}

const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
const MAX_QUERY_WORDS = 24
const MAX_HITS = 50

interface Posting {
  readonly text: number
  count: number
}

export function createWordIndex(texts: readonly string[]): WordIndex {
  const postings = new Map<string, Posting[]>()
  const lengths = texts.map((text, number) => {
    const words = splitWords(text)
    for (const word of words) {
      const list = postings.get(word) ?? []
      const last = list.at(-1)
      if (last?.text === number) last.count += 1
      else list.push({ text: number, count: 1 })
      postings.set(word, list)
    }
    return words.length
  })
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)
  const weightOf = (word: string): number => {
    const holders = postings.get(word)?.length ?? 0
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
  }
  return {
    search(words, before) {
      const known = [...new Set(words)].filter((word) => postings.has(word))
      const rarest = known.toSorted((a, b) => weightOf(b) - weightOf(a) || (a < b ? -1 : 1)).slice(0, MAX_QUERY_WORDS)
      const scores = new Map<number, number>()
      for (const word of rarest) {
        const weight = weightOf(word)
        for (const { text, count } of postings.get(word) ?? []) {
          if (text >= before) break
          const factor = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (lengths[text] ?? 0)) / Math.max(1, averageLength)
          const score = (weight * count * (SATURATION + 1)) / (count + SATURATION * factor)
          scores.set(text, (scores.get(text) ?? 0) + score)
        }
      }
      const ranked = [...scores].toSorted(([a, first], [b, second]) => second - first || b - a)
      return ranked.slice(0, MAX_HITS).map(([text]) => text)
    },
  }
}

const WORD = /[\p{L}\p{N}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Lower-case words; scripts without spaces in pairs of characters. */
export function splitWords(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(WORD)].flatMap(([word]) => (UNSPACED.test(word) ? pairsOf(word) : [word]))
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return [run]
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
}
