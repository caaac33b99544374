import type { WireAnswer } from '@longhaul/models/testing'

const FIRST_BYTE_MS = 300
const PIECE_MS = 100
const PIECES = 300

/** Half a minute of streaming, ten pieces a second: a long answer of a quick model. */
export const LONG_ANSWER: WireAnswer = {
  text: Array.from({ length: PIECES }, (_, index) => `Word ${index} of an answer that goes on. `),
  delays: { firstByteMs: FIRST_BYTE_MS, pieceMs: PIECE_MS },
}

/** As long to its first word, and then over. */
export const SHORT_ANSWER: WireAnswer = {
  text: ['Word 0 ', 'and 1.'],
  delays: { firstByteMs: FIRST_BYTE_MS, pieceMs: PIECE_MS },
}

/** How long the long one takes. */
export const LONG_ANSWER_MS = FIRST_BYTE_MS + PIECES * PIECE_MS

export const LONG_TEXT = [LONG_ANSWER.text ?? []].flat().join('')
