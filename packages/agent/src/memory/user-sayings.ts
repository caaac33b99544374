/** What the user said, to compare notes with. */
export interface UserSayings {
  /**
   * Whether one passage of one message really says the note: nearly all of its words stand there, each number, address,
   * path, quotation and name as well, and neither of the two denies what the other states.
   */
  readonly say: (note: string) => boolean
}

/** One word in ten may be the note's own. */
const MISSING_SHARE = 0.1
/** A passage is longer than the note, or the words of a long message could be put together to say anything. */
const PASSAGE_CHARS = [400, 1_600, 6_400] as const
const LONGEST = PASSAGE_CHARS.at(-1) ?? 0

export function createUserSayings(messages: readonly string[]): UserSayings {
  const texts = messages.map(normalize)
  const passages = new Map<number, readonly Passage[]>()
  const passagesOf = (chars: number): readonly Passage[] => {
    const known = passages.get(chars) ?? texts.flatMap((text) => splitPassages(text, chars)).map(readPassage)
    passages.set(chars, known)
    return known
  }
  return {
    say(note) {
      const claim = readClaim(note)
      if (claim.words.size + claim.tokens.size + claim.numbers.size === 0) return false
      const chars = PASSAGE_CHARS.find((length) => length >= 2 * note.length) ?? LONGEST
      return passagesOf(chars).some((passage) => says(passage, claim))
    },
  }
}

interface Claim {
  readonly words: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly tokens: ReadonlySet<string>
  readonly quotations: readonly string[]
  readonly isDenial: boolean
}

interface Passage {
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly tokens: ReadonlySet<string>
  readonly sentences: readonly { readonly words: ReadonlySet<string>; readonly isDenial: boolean }[]
}

function readClaim(note: string): Claim {
  const text = normalize(note)
  return {
    words: wordsOf(text),
    names: namesOf(note),
    numbers: numbersOf(text),
    tokens: tokensOf(text),
    quotations: Array.from(text.matchAll(QUOTATION), ([, quoted = '']) => quoted.trim()).filter(
      (quoted) => quoted !== '',
    ),
    isDenial: DENIAL.test(text),
  }
}

function readPassage(text: string): Passage {
  const sentences = splitSentences(text).map((sentence) => ({
    words: wordsOf(sentence),
    isDenial: DENIAL.test(sentence),
  }))
  return { text, words: wordsOf(text), numbers: numbersOf(text), tokens: tokensOf(text), sentences }
}

function says(passage: Passage, claim: Claim): boolean {
  const { words, names, numbers, tokens, quotations, isDenial } = claim
  const missing = words.difference(passage.words).size
  return (
    missing <= Math.floor(words.size * MISSING_SHARE) &&
    names.isSubsetOf(passage.words) &&
    numbers.isSubsetOf(passage.numbers) &&
    tokens.isSubsetOf(passage.tokens) &&
    quotations.every((quoted) => passage.text.includes(quoted)) &&
    isDenial === deniesMost(passage, words)
  )
}

/** Whether a sentence that holds most of these words denies something. */
function deniesMost({ sentences }: Passage, words: ReadonlySet<string>): boolean {
  return sentences.some((sentence) => sentence.isDenial && words.intersection(sentence.words).size * 2 > words.size)
}

/** Pieces of about this length that overlap by half, so that what belongs together stands together in one of them. */
function splitPassages(text: string, chars: number): readonly string[] {
  if (text.length <= chars) return [text]
  const starts = Array.from({ length: Math.ceil(text.length / (chars / 2)) }, (_, index) => index * (chars / 2))
  return starts.map((start) => text.slice(start, start + chars))
}

const SENTENCE_END = /[.!?](?:\s|$)|[。！？；\n]/

function splitSentences(text: string): readonly string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')
}

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .toLowerCase()
}

const CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
const WORD = /[\p{L}\p{N}]{3,}/gu
/** The person that notes speak of, where the user says "I". */
const SPEAKER = /用户|使用者|ユーザー/g

/**
 * Words of content, without endings such as a plural's. Scripts without spaces count by pairs of characters. The name in
 * an address is no word.
 */
function wordsOf(normalized: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [run] of normalized.replaceAll(SPEAKER, ' ').matchAll(CHARACTERS)) {
    if (run.length === 1) words.add(run)
    for (let index = 0; index + 1 < run.length; index += 1) words.add(run.slice(index, index + 2))
  }
  for (const [word] of normalized.replaceAll(CHARACTERS, ' ').replaceAll(TOKEN, dropToken).matchAll(WORD)) {
    if (!EMPTY_WORDS.has(word)) words.add(stemOf(word))
  }
  return words
}

function stemOf(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Words that say nothing by themselves, and those by which a note speaks of its user. */
const EMPTY_WORDS = new Set(
  'the and for are was were has have had been that this with from its his her their they them our your you user users'.split(
    ' ',
  ),
)

/** Words that are written large although no sentence begins with them, or all in capitals. */
function namesOf(note: string): ReadonlySet<string> {
  const names = note
    .normalize('NFKC')
    .matchAll(/(?<=[\p{L}\p{N},;:)"'’”]\s{1,3})\p{Lu}[\p{L}\p{N}]{2,}|\b\p{Lu}{2,}\b/gu)
  const words = Array.from(names, ([name]) => name.toLowerCase())
  return new Set(words.filter((word) => word.length > 2 && !EMPTY_WORDS.has(word)).map(stemOf))
}

function numbersOf(normalized: string): ReadonlySet<string> {
  return new Set(normalized.match(/\d+(?:[.,:/-]\d+)*/g))
}

/** Text between signs that do not belong to an address, a path or a name of code. */
const TOKEN =
  /[^\s"'`<>()[\]{}|,;!?，。；！？、：（）「」『』《》\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
/** A sign inside it shows that it is no ordinary word. */
const SPECIAL = /[\p{L}\p{N}][@_\\/=$%&+~*#:.][\p{L}\p{N}/\\]|^[@_\\/$~#-]|[@_\\/=$%&+~*#]$/u

/** Addresses, hosts, paths, options and names of code. */
function tokensOf(normalized: string): ReadonlySet<string> {
  return new Set((normalized.match(TOKEN) ?? []).map(trimToken).filter(isSpecial))
}

function dropToken(token: string): string {
  return isSpecial(trimToken(token)) ? ' ' : token
}

function trimToken(token: string): string {
  return token.replace(/[.:*]{1,3}$/, '')
}

function isSpecial(token: string): boolean {
  return SPECIAL.test(token) && !/^-+$/.test(token)
}

const QUOTATION = /(?<![\p{L}\p{N}])["'`«「『]([^"'`»」』\n]{2,200})["'`»」』](?![\p{L}\p{N}])/gu
const DENIAL =
  /(?<![\p{L}\p{N}])(?:not?|never|none|nothing|cannot|without|stop|avoid|ignore|refuse|\p{L}{2,8}n't|nicht|kein\p{L}{0,2}|nie|niemals|ohne|pas|jamais|sans|nunca|jamás|sin)(?![\p{L}\p{N}])|[不别別没沒勿莫非无無未]|ない|ません/u
