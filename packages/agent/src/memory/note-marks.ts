const BULLET = /^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+/
/** Stands in front of a note that is an instruction although its words do not show it. */
export const INSTRUCTION_MARK = 'Instruction: '
/** Stands in front of a note that was written down while text of others was read and that the user did not say. */
export const FOREIGN_MARK = 'Not from the user: '

/** Only the start of a note is looked at, however long it is. */
const LOOKED_AT_CHARS = 200
/** Signs that may stand around a mark in Markdown. */
const DECORATION = /^[\s\p{P}\p{S}\d]+/u
const INVISIBLE = /\p{Cf}/gu

export function withoutBullet(text: string): string {
  return text.replace(BULLET, '')
}

export function isBullet(line: string): boolean {
  return BULLET.test(line)
}

/**
 * Whether a note carries the mark, however a person typed it: in bold, in capitals, with spaces of another kind. Notes
 * that are saved always get the mark in its exact form in front of all their words, so none can look unmarked.
 */
export function isForeignNote(note: string): boolean {
  const start = note.slice(0, LOOKED_AT_CHARS).normalize('NFKC').replaceAll(INVISIBLE, '').replace(DECORATION, '')
  return /^not\s+from\s+the\s+user[*_~`\s]*:/i.test(start)
}

/** Characters that end a line in some programs. */
const LINE_ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/
/** Control characters, and characters that turn the direction of a line: they could hide a mark from a reader. */
// oxlint-disable-next-line no-control-regex -- those are what it looks for
const HIDING = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** One note a line, as a reader of the file sees lines. */
export function splitLines(text: string): readonly string[] {
  return text.split(LINE_ENDS).map((line) => line.replaceAll(HIDING, ''))
}

/** Two notes that say the same have the same key, whatever their marks, case and spaces. */
export function keyOf(line: string): string {
  const bare = withoutBullet(line)
  const mark = [FOREIGN_MARK, INSTRUCTION_MARK].find((each) => bare.startsWith(each)) ?? ''
  return bare.slice(mark.length).toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
