import { classifyToken } from './classify-token.ts'
import { findPhrases } from './find-phrases.ts'
import type { Mention } from './mention.ts'

/**
 * Letters and signs that stand inside of paths, identifiers and codes. Scripts that write without spaces are boundaries:
 * the path in `请看src/app.ts` begins at `src`.
 */
const TOKEN =
  /[[\p{L}\p{N}_.\-\/:@#+~$%?=\x26]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]{3,}/gv
/** A digit, a joiner, or a capital after a small letter: words of a language have none. */
const MARKED = /[\d_./@:]|\p{Ll}\p{Lu}/u
/** Longer runs are encoded data. */
const MAX_TOKEN_CHARS = 300
/** The end of a longer text is not read: one output of this length holds a file or a log as a whole. */
const MAX_TEXT_CHARS = 1_000_000

/** All mentions in a text in one pass. `isProse`: said by a person or a model, so that names and quotations count. */
export function findMentions(text: string, isProse: boolean, found: (mention: Mention) => void): void {
  const read = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text
  for (const match of read.matchAll(TOKEN)) {
    const [token] = match
    if (token.length > MAX_TOKEN_CHARS || !MARKED.test(token)) continue
    const { index } = match
    classifyToken({ token, start: index, text: read }, found)
    // A line end spelled out, as in JSON inside of a text: `\nload_keys`.
    if (read[index - 1] === '\\' && /^[nrt]/.test(token)) {
      classifyToken({ token: token.slice(1), start: index + 1, text: read }, found)
    }
  }
  if (isProse) findPhrases(read, found)
}
