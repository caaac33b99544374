/**
 * Words as all backends index and query them: lower case, without accents, joined by nothing but letters and digits.
 * Scripts without spaces between words are split into single characters, so that a query of any length finds them as a
 * phrase. One splitter for every backend keeps their answers alike.
 */
export function splitWords(text: string): readonly string[] {
  const plain = text.slice(0, MAX_TEXT_CHARS).normalize('NFKD').replaceAll(ACCENT, '').toLowerCase().normalize('NFC')
  const words: string[] = []
  for (const [run] of plain.matchAll(WORD)) {
    if (!isUnspaced(run)) words.push(cutWord(run))
    else for (const [piece] of run.matchAll(SPAN)) words.push(cutWord(piece))
  }
  return words
}

export function hasWords(text: string): boolean {
  return splitWords(text.slice(0, PEEK_CHARS)).length > 0 || splitWords(text).length > 0
}

export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word)
}

/** What stands in the index. Numbers of characters keep one message from filling it. */
const MAX_TEXT_CHARS = 200_000
const MAX_WORD_CHARS = 64
const PEEK_CHARS = 1_000

/** By extension, so that marks which several scripts share (the ー of kana) belong to the word they stand in. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr'].map((name) => `\\p{scx=${name}}`).join('')
const UNSPACED = new RegExp(`[${SCRIPTS}]`, 'u')
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** What may be left out in writing. Vowels of Thai or Hindi are marks too, but without them it is another word. */
const ACCENT = /[\p{Mn}&&[[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}]--[\u3099\u309A]]]/gv

/** Stretches of a text that are split by themselves: one character of such a script, or what lies between. */
export const SPAN = new RegExp(`(?:[${SCRIPTS}]|[^\\s${SCRIPTS}]+)\\p{M}*`, 'gu')

function cutWord(word: string): string {
  return word.length > MAX_WORD_CHARS ? word.slice(0, MAX_WORD_CHARS).toWellFormed() : word
}
