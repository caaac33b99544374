/**
 * Chinese has no capitals and no spaces, so what is rare there is found as a stretch of at least four characters that
 * stood in one earlier message, or two, and stands again. Most of its pairs of characters must be rare in the whole
 * conversation: turns of phrase are made of common ones.
 */
const GRAM = 4
const MAX_EARLIER = 2
const MAX_PAIR_MESSAGES = 5
const MIN_RARE_SHARE = 0.8
const RUN = /\p{Script=Han}{4,}/gu

/** Takes the messages of a conversation one after the other and returns the phrases of each that came back. */
export interface PhraseFinder {
  find(index: number, text: string): readonly RepeatedPhrase[]
}

interface RepeatedPhrase {
  readonly text: string
  /** The newest message that had it before. */
  readonly lastIndex: number
}

export function createPhraseFinder(texts: readonly string[]): PhraseFinder {
  const pairs = countPairs(texts)
  const isRare = ({ text }: RepeatedPhrase): boolean => {
    const all = gramsOf(text, 2)
    return all.filter((pair) => (pairs.get(pair) ?? 0) <= MAX_PAIR_MESSAGES).length >= all.length * MIN_RARE_SHARE
  }
  const seen = new Map<string, number[]>()
  return {
    find(index, text) {
      const phrases = new Map<string, RepeatedPhrase>()
      const grams = new Set<string>()
      for (const [run] of text.matchAll(RUN)) {
        for (const phrase of repeatedIn(run, seen).filter(isRare)) phrases.set(phrase.text, phrase)
        for (const gram of gramsOf(run, GRAM)) grams.add(gram)
      }
      for (const gram of grams) {
        const places = seen.get(gram)
        if (places === undefined) seen.set(gram, [index])
        else places.push(index)
      }
      return [...phrases.values()]
    },
  }
}

/** The longest stretches whose every four characters stood last in the same message. */
function repeatedIn(run: string, seen: ReadonlyMap<string, readonly number[]>): readonly RepeatedPhrase[] {
  const phrases: RepeatedPhrase[] = []
  let open: { from: number; lastIndex: number } | null = null
  for (let at = 0; at + GRAM <= run.length + 1; at += 1) {
    const places = seen.get(run.slice(at, at + GRAM))
    const lastIndex =
      places !== undefined && at + GRAM <= run.length && places.length <= MAX_EARLIER ? places.at(-1) : undefined
    if (open !== null && lastIndex !== open.lastIndex) {
      phrases.push({ text: run.slice(open.from, at + GRAM - 1), lastIndex: open.lastIndex })
      open = null
    }
    if (open === null && lastIndex !== undefined) open = { from: at, lastIndex }
  }
  return phrases
}

/** In how many messages each pair of characters stands. */
function countPairs(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const pairs = new Set([...text.matchAll(RUN)].flatMap(([run]) => gramsOf(run, 2)))
    for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

function gramsOf(run: string, length: number): readonly string[] {
  return Array.from({ length: Math.max(0, run.length - length + 1) }, (_, at) => run.slice(at, at + length))
}
