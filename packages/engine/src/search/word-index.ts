/**
 * Which messages of a growing log have which words. Adding a message costs what it holds; a search reads the lists of
 * its rarest words only and stops after a fixed number of places, so it costs the same however long the log is.
 */
export interface WordIndex {
  /** `seq` rises from call to call. */
  add(seq: number, terms: readonly string[]): void
  /** How much it tells that a text has this word: 0 for one that stands everywhere or nowhere. */
  weigh(term: string): number
  /** The numbers of the messages that have a word, oldest first. */
  holders(term: string): readonly number[]
  /** The messages before `beforeSeq` that fit best, best first, of those that may have enough of what is wanted. */
  find(wanted: ReadonlyMap<string, number>, options: FindOptions): readonly number[]
}

interface FindOptions {
  readonly beforeSeq: number
  readonly limit: number
  /** A message is found if the wanted words that it has tell this much together; 0: any message. */
  readonly minTold: number
}

/** In which messages a word stands, oldest first, and how often in each. */
interface Places {
  readonly seqs: number[]
  readonly counts: number[]
}

const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
/** A word is looked up in its newest places: what stands in more of them tells little about any. */
const MAX_PLACES = 32
const MAX_TERMS = 10
/** So many of the messages that rare words lead to are also looked at for common words. */
const MAX_CANDIDATES = 32
/** As far as one message is taken up. */
const MAX_MESSAGE_TERMS = 20_000

export function createWordIndex(): WordIndex {
  const places = new Map<string, Places>()
  const lengths = new Map<number, number>()
  let totalLength = 0

  function weigh(term: string): number {
    const holders = places.get(term)?.seqs.length ?? 0
    if (holders === 0) return 0
    return Math.log(1 + (lengths.size - holders + 0.5) / (holders + 0.5))
  }
  return {
    weigh,
    holders: (term) => places.get(term)?.seqs ?? [],
    add(seq, terms) {
      const counts = new Map<string, number>()
      for (const term of terms.slice(0, MAX_MESSAGE_TERMS)) counts.set(term, (counts.get(term) ?? 0) + 1)
      for (const [term, count] of counts) {
        const known = places.get(term)
        if (known === undefined) places.set(term, { seqs: [seq], counts: [count] })
        else {
          known.seqs.push(seq)
          known.counts.push(count)
        }
      }
      lengths.set(seq, terms.length)
      totalLength += terms.length
    },
    find(wanted, { beforeSeq, limit, minTold }) {
      const weighed = [...wanted]
        .map(([term, importance]) => ({ term, weight: importance * weigh(term) }))
        .filter(({ weight }) => weight > 0)
        .toSorted((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      const common = splitCommon(weighed, minTold)
      const averageLength = totalLength / Math.max(1, lengths.size)
      const found = new Map<number, { told: number; score: number }>()
      const meet = (seq: number, weight: number, count: number): void => {
        const length = lengths.get(seq) ?? averageLength
        const factor = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(1, averageLength))
        const message = found.get(seq) ?? { told: 0, score: 0 }
        message.told += weight
        message.score += (weight * count * (SATURATION + 1)) / (count + factor)
        found.set(seq, message)
      }
      for (const { term, weight } of weighed.slice(0, Math.min(common, MAX_TERMS))) {
        const { seqs, counts } = places.get(term) ?? { seqs: [], counts: [] }
        const end = countBefore(seqs, beforeSeq)
        for (let place = Math.max(0, end - MAX_PLACES); place < end; place += 1)
          meet(seqs[place] as number, weight, counts[place] as number)
      }
      keepBest(found, MAX_CANDIDATES)
      let left = weighed.slice(common).reduce((sum, { weight }) => sum + weight, 0)
      for (const { term, weight } of weighed.slice(common)) {
        for (const [seq, { told }] of found) if (told + left < minTold) found.delete(seq)
        if (found.size === 0) break
        left -= weight
        const { seqs, counts } = places.get(term) ?? { seqs: [], counts: [] }
        for (const seq of found.keys()) {
          const place = countBefore(seqs, seq)
          if (seqs[place] === seq) meet(seq, weight, counts[place] as number)
        }
      }
      return [...found]
        .filter(([, { told }]) => told >= minTold)
        .toSorted(([a, first], [b, second]) => second.score - first.score || b - a)
        .slice(0, limit)
        .map(([seq]) => seq)
    },
  }
}

interface Candidate {
  readonly told: number
}

/** Leaves only those that tell the most; of equal ones, the newest. */
function keepBest(found: Map<number, Candidate>, limit: number): void {
  if (found.size <= limit) return
  const best = [...found].toSorted(([a, first], [b, second]) => second.told - first.told || b - a)
  for (const [seq] of best.slice(limit)) found.delete(seq)
}

/** Where the common words begin that together do not tell enough: a message that has only those need not be looked at. */
function splitCommon(weighed: readonly { readonly weight: number }[], minTold: number): number {
  let told = 0
  for (let place = weighed.length - 1; place >= 0; place -= 1) {
    told += weighed[place]?.weight ?? 0
    if (told >= minTold) return place + 1
  }
  return 0
}

/** How many of the rising numbers are smaller. */
function countBefore(seqs: readonly number[], beforeSeq: number): number {
  let [low, high] = [0, seqs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] as number) < beforeSeq) low = middle + 1
    else high = middle
  }
  return low
}
