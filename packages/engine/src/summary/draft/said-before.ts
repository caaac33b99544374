/** An addition that shares this much of its words with an item of its section says the same thing anew. */
const SAME_SHARE = 0.8
/** Below this many words one word makes the difference ("use X for sessions", "use X for events"). */
const MIN_SAME_WORDS = 8
/** Items that share rare words with a text are looked at one by one, and a model can write any number of them. */
const MAX_COMPARED = 40

/** The texts of one section's items, to find the one that a new text says anew. */
export interface SaidBefore {
  /** The index of the first item that says the same; -1: none does. */
  readonly find: (text: string) => number
  /** Tells that an item has this text from now on. */
  readonly set: (index: number, text: string) => void
}

/**
 * Finds by rare words: two texts that share four fifths of their words share at least one of any fifth of them. So a
 * section of thousands of items costs each addition no more than a section of ten.
 */
export function createSaidBefore(): SaidBefore {
  const texts: Words[] = []
  const byText = new Map<string, Set<number>>()
  const byWord = new Map<string, number[]>()

  function findSimilar(said: Words): readonly number[] {
    const missing = said.words.size - Math.ceil(said.words.size * SAME_SHARE)
    const places = [...said.words].map((word) => byWord.get(word) ?? [])
    const rarest = places.toSorted((one, other) => one.length - other.length).slice(0, missing + 1)
    return [...new Set(rarest.flatMap((indexes) => indexes.slice(0, MAX_COMPARED)))].slice(0, MAX_COMPARED)
  }

  return {
    find(text) {
      const same = [...(byText.get(text) ?? [])].slice(0, 1)
      const said = readWords(text)
      // Of an item that was rewritten, earlier words lead here too.
      const similar = findSimilar(said).filter((index) => saysTheSame(texts[index], said))
      return [...same, ...similar].reduce((first, index) => (first === -1 || index < first ? index : first), -1)
    },
    set(index, text) {
      const before = texts[index]
      if (before !== undefined) byText.get(before.text)?.delete(index)
      const said = readWords(text)
      texts[index] = said
      byText.set(text, (byText.get(text) ?? new Set()).add(index))
      for (const word of said.words) if (before?.words.has(word) !== true) push(byWord, word, index)
    },
  }
}

interface Words {
  readonly text: string
  readonly words: ReadonlySet<string>
  /** Words with a capital that do not just begin the text: people, places, products. */
  readonly names: ReadonlySet<string>
}

function saysTheSame(one: Words | undefined, other: Words): boolean {
  if (one === undefined) return false
  const larger = Math.max(one.words.size, other.words.size)
  if (larger < MIN_SAME_WORDS) return false
  const all = new Set([...one.words, ...other.words])
  const isShared = (word: string): boolean => one.words.has(word) && other.words.has(word)
  if ([...all].filter(isShared).length / larger < SAME_SHARE) return false
  const isName = (word: string): boolean => one.names.has(word) || other.names.has(word) || /[/_]|\.[a-z]/.test(word)
  return ![...all].some((word) => isName(word) && !isShared(word))
}

const WORD = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[\p{L}\p{N}_./-]+/gu
const SIGNS = '_./-'

function readWords(text: string): Words {
  const words = (text.toLowerCase().match(WORD) ?? []).map(withoutLastSigns).filter((word) => word !== '')
  const names = text.slice(1).match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*/gu)
  return { text, words: new Set(words), names: new Set(names?.map((name) => name.toLowerCase())) }
}

/** Not by a pattern: it would look on to the end of a row of signs from each of them. */
function withoutLastSigns(word: string): string {
  let end = word.length
  while (end > 0 && SIGNS.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

function push(lists: Map<string, number[]>, word: string, index: number): void {
  const list = lists.get(word)
  if (list === undefined) lists.set(word, [index])
  else list.push(index)
}
