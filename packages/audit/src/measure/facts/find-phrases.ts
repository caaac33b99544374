import type { FoundMention } from './mention.ts'

/** Matches a quotation on one line, in the quotation marks of any language. */
const QUOTED = /["“«„「『《]([^"”»“」』》\n]{2,90})["”»“」』》]/gu
/** Two to four words with capitals in the middle of a sentence. */
const NAME = /(?<=[\p{Ll},;] )\p{Lu}[\p{Ll}’']+(?:[ -]\p{Lu}[\p{Ll}’']+){1,3}(?![\p{L}\p{N}])/gu
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const MIN_QUOTE_WORDS = 3
const MIN_QUOTE_CHARS = 12

/** Quotations and names in the words of people and models. */
export function findPhrases(text: string, found: FoundMention): void {
  for (const { 1: quoted = '', index } of text.matchAll(QUOTED)) {
    if (!isTelling(quoted)) continue
    found({ key: foldWords(quoted), kind: 'quote', text: quoted, label: null }, index + 1)
  }
  for (const { 0: name, index } of text.matchAll(NAME)) {
    found({ key: foldWords(name), kind: 'name', text: name, label: null }, index)
  }
}

/** Equal for all ways to write the same words. */
function foldWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function isTelling(quoted: string): boolean {
  if (/[{}<>=\\;]|^\s|\s$/.test(quoted)) return false
  if (WITHOUT_SPACES.test(quoted)) return quoted.length >= 3
  return quoted.length >= MIN_QUOTE_CHARS && quoted.trim().split(/\s+/).length >= MIN_QUOTE_WORDS
}
