import { hashText } from '../../tokens/hash.ts'

export interface Fence {
  /** Stands on every line that opens or closes a block, and in no fenced text. */
  readonly mark: string
  /** The text between two lines that only a fence can have written. */
  block(label: string, text: string): string
}

/**
 * A transcript may hold anything, also lines made to look like the end of it. So the mark is derived from the very texts
 * it will enclose and lengthened until none of them contains it; a mark longer than every text surely is in none.
 */
export function createFence(texts: readonly string[]): Fence {
  let mark = ''
  let round = 0
  do {
    mark += hashText(`${round}\n${texts.join('\n')}`)
    round += 1
  } while (texts.some((text) => text.includes(mark)))
  return {
    mark,
    block: (label, text) =>
      `----- BEGIN ${label} ${mark} -----\n${text.toWellFormed()}\n----- END ${label} ${mark} -----`,
  }
}
