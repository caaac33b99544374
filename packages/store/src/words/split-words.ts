/**
 * Words as all backends index and query them: lower case, without accents, joined by nothing but letters and digits.
 * Scripts without spaces between words are split into single characters, so that a query of any length finds them as a
 * phrase. One splitter for every backend keeps their answers alike.
 */
export function splitWords(text: string): readonly string[] {
  const plain = text.slice(0, MAX_TEXT_CHARS).normalize('NFKD').replaceAll(MARKS, '').toLowerCase().normalize('NFC')
  const words: string[] = []
  for (const [run] of plain.matchAll(WORD)) {
    if (!UNSPACED.test(run)) words.push(run.slice(0, MAX_WORD_CHARS))
    else for (const [piece] of run.matchAll(PIECE)) words.push(piece.slice(0, MAX_WORD_CHARS))
  }
  return words
}

/** What stands in the index. Numbers of characters keep one message from filling it. */
const MAX_TEXT_CHARS = 200_000
const MAX_WORD_CHARS = 64

const SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const MARKS = /\p{Mn}/gu
const WORD = /[\p{L}\p{N}\p{Mc}]+/gu
const UNSPACED = new RegExp(`[${SCRIPTS}]`, 'u')
const PIECE = new RegExp(`[${SCRIPTS}]|[^${SCRIPTS}]+`, 'gu')

export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word)
}
