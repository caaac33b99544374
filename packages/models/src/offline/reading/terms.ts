import { FAINT_WORDS, SAME_WORDS, STOP_WORDS } from './words.ts'

/** Scripts that put no space between words: there each character is a term. */
const NO_SPACES = String.raw`\p{Script=Han}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const WORD = new RegExp(
  String.raw`[${NO_SPACES}]|[\p{Script=Katakana}ー]{2,}|\p{Script=Hangul}+|[[\p{L}\p{M}\p{N}]--[${NO_SPACES}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}]]+`,
  'gv',
)
const CAMEL_PART = /(?<=[\p{Ll}\d])(?=\p{Lu})/u
const STOP_PHRASES = /什么时候|什么|为什么|怎么|多少|哪[里儿个些]|时候|知道|告诉|请问|可以|我们|你们|他们|いつ|なぜ/g
/** Particles and pronouns. */
const STOP_CHARACTERS = new Set(
  '我你您他她它们的了是在有和与就都而及着或也还这那个谁哪吗呢吧啊几何把被让给从到向为以于之其些不没很誰',
)
/** Somebody's own name is asked for and told in many ways; this stands for all of them. */
const OWN_NAME = 'own name'
const TELLS_OWN_NAME =
  /\bmy (?:full |first |last )?name\b|\b(?:am i|i am|i['’]m) (?:called|named)\b|\bcall me\b|\bwho am i\b|\buser['’]s name\b|我的?(?:名字|叫)|我是谁|私の名前|mein name|ich heiße|heiße ich|je m['’]appelle|me llamo/i
/** "I'm Anna", but not "I'm Dutch": the name must end there or go on with another. */
const INTRODUCES = /\b(?:[Ii]['’]m|[Ii] am|[Tt]his is)\s+\p{Lu}\p{Ll}+(?:\s+\p{Lu}\p{Ll}+)*\s*(?:[.,;!–-]|and\b|$)/u

/** What a text is about: its words without the small ones, in a form in which "deployed" meets "deploy". Repeats stay. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').replace(STOP_PHRASES, ' ').matchAll(WORD)) {
    const parts = word.split(CAMEL_PART)
    for (const part of parts.length > 1 ? [word, ...parts] : parts) {
      const lower = part.toLowerCase()
      if (!STOP_WORDS.has(lower) && !STOP_CHARACTERS.has(lower)) terms.push(meaningOf(lower))
    }
  }
  if (TELLS_OWN_NAME.test(text)) terms.push(OWN_NAME)
  else if (INTRODUCES.test(text)) terms.push(meaningOf('name'), OWN_NAME)
  return terms
}

/** Sharing this term means little. */
export function isFaint(term: string): boolean {
  return FAINT.has(term)
}

function meaningOf(word: string): string {
  const stem = stemOf(word)
  return SAME.get(stem) ?? stem
}

const KOREAN_ENDING = /(?<=[\p{Script=Hangul}])(?:입니다|이에요|예요|에서|으로|은|는|이|가|을|를|의|에|로|와|과|도)$/u

/** Light: endings of English that also do no harm to its neighbours. Anything with a figure or another script stays whole. */
function stemOf(word: string): string {
  const plain = word
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
  if (plain.length < 4 || !/^[a-z]+$/.test(plain)) return plain.replace(KOREAN_ENDING, '')
  const singular = plain
    .replace(/(?<=..)(?:ies|ied)$/, 'y')
    .replace(/(?<=(?:ch|sh|ss|x|z))es$/, '')
    .replace(/(?<=[^siu])s$/, '')
  const verb = singular.replace(/(?<=....)(?:ating|ated)$|(?<=[aeiouy].{1,20}|^.[aeiouy].)(?:ing|ed)$/, '')
  if (verb !== singular && /^[^aeiou][aeiou][^aeiouwxy]$/.test(verb)) return `${verb}e`
  const single = verb === singular || verb.length < 4 ? verb : verb.replace(/([^aeioulsz])\1$/, '$1')
  return single
    .replace(/(?<=....)(?:ments?|ations?|ate|ence|ance|ions?|ly)$/, '')
    .replace(/(?<=....)e$/, '')
    .replace(/y$/, 'i')
}

const SAME = new Map<string, string>()
for (const words of SAME_WORDS) {
  const stems = words.map(stemOf)
  for (const stem of stems) if (!SAME.has(stem)) SAME.set(stem, stems[0] ?? stem)
}
const FAINT = new Set(FAINT_WORDS.map(meaningOf))
