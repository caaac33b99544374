/** Finds messages by their words, rare words first (BM25). Independent of the stores' search: it measures what search can do at all. */
export interface WordIndex {
  /** Numbers of the texts that fit best, best first, among those before `before`. */
  search(words: readonly string[], before: number): readonly number[]
}

const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
const MAX_QUERY_WORDS = 24
const MAX_HITS = 50

/** In which texts a word stands, and how often in each. */
interface Postings {
  readonly texts: number[]
  readonly counts: number[]
}

const NOWHERE: Postings = { texts: [], counts: [] }

export function createWordIndex(texts: readonly string[]): WordIndex {
  const postings = new Map<string, Postings>()
  const lengths = texts.map((text, number) => {
    const words = splitWords(text)
    for (const word of words) {
      const held = postings.get(word) ?? { texts: [], counts: [] }
      const last = held.texts.length - 1
      if (held.texts[last] === number) held.counts[last] = (held.counts[last] ?? 0) + 1
      else {
        held.texts.push(number)
        held.counts.push(1)
      }
      postings.set(word, held)
    }
    return words.length
  })
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)
  const factors = lengths.map(
    (length) => SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(1, averageLength)),
  )
  const weightOf = (word: string): number => {
    const holders = postings.get(word)?.texts.length ?? 0
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
  }
  /** By text; one list for all searches, because words that stand everywhere touch every text. */
  const scores = new Float64Array(texts.length)
  return {
    search(words, before) {
      const known = [...new Set(words)].filter((word) => postings.has(word))
      const weighed = known.map((word) => ({ word, weight: weightOf(word) }))
      const rarest = weighed.toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      scores.fill(0)
      for (const { word, weight } of rarest.slice(0, MAX_QUERY_WORDS)) {
        const { texts: holders, counts } = postings.get(word) ?? NOWHERE
        for (let place = 0; place < holders.length; place += 1) {
          const text = holders[place] ?? before
          if (text >= before) break
          const count = counts[place] ?? 0
          scores[text] = (scores[text] ?? 0) + (weight * count * (SATURATION + 1)) / (count + (factors[text] ?? 0))
        }
      }
      return findBest(scores)
    },
  }
}

/** The numbers of the highest scores, best first; of equals the later one. */
function findBest(scores: Float64Array): readonly number[] {
  const best: number[] = []
  const scoreAt = (place: number): number => scores[best[place] ?? -1] ?? Number.POSITIVE_INFINITY
  for (let number = scores.length - 1; number >= 0; number -= 1) {
    const score = scores[number] ?? 0
    if (score === 0 || (best.length === MAX_HITS && score <= scoreAt(MAX_HITS - 1))) continue
    let place = best.length
    while (place > 0 && scoreAt(place - 1) < score) place -= 1
    best.splice(place, 0, number)
    if (best.length > MAX_HITS) best.pop()
  }
  return best
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
