const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g
const MAX_CHARS = 300

/** Statements of usual length. Questions, pasted code and walls of text are none. */
export function findStatements(text: string, minChars: number): readonly string[] {
  return text
    .replaceAll(CODE_BLOCK, '\n')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= minChars && length <= MAX_CHARS)
    .filter((sentence) => !sentence.endsWith('?'))
}
