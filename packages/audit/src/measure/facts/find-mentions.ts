import { classifyToken } from './classify-token.ts'
import type { ClassifiedToken } from './classify-token.ts'
import { findNumber } from './find-number.ts'
import { findLabeled } from './find-labeled.ts'
import { findPhrases } from './find-phrases.ts'
import type { FoundMention } from './mention.ts'

/**
 * Letters and signs that stand inside of paths, identifiers and codes. Scripts that write without spaces are boundaries:
 * the path in `请看src/app.ts` begins at `src`.
 */
const TOKEN =
  /[[\p{L}\p{N}_.\-\/:@#+~$%?=\x26]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]{3,}/gv
/** A digit, a joiner, or a capital behind the first letter: words of a language have none. */
const MARKED = /[\d_./@:=-]|\p{L}\p{Lu}/u
/** Longer runs are encoded data. */
const MAX_TOKEN_CHARS = 300
/** The end of a longer text is not read: one output of this length holds a file or a log as a whole. */
const MAX_TEXT_CHARS = 1_000_000

/** The same tokens come again and again in a session. */
const MAX_REMEMBERED = 50_000

/** Finds all mentions in a text in one pass. `isProse`: said by a person or a model, so that names and quotations count. */
export type FindMentions = (text: string, isProse: boolean, found: FoundMention) => void

export function createMentionFinder(): FindMentions {
  const known = new Map<string, ClassifiedToken>()
  const classify = (token: string): ClassifiedToken => {
    const remembered = known.get(token)
    if (remembered !== undefined) return remembered
    const classified = classifyToken(token)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(token, classified)
    return classified
  }
  return (text, isProse, found) => {
    const read = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text
    const tell = (token: string, index: number): void => {
      const { mentions, numbers } = classify(token)
      for (const { mention, start } of mentions) found(mention, index + start)
      for (const { number, start } of numbers) findNumber({ token: number, start: index + start, text: read }, found)
    }
    for (const { 0: token, index } of read.matchAll(TOKEN)) {
      if (token.length > MAX_TOKEN_CHARS || !MARKED.test(token)) continue
      tell(token, index)
      // A line end spelled out, as in JSON inside of a text: `\nload_keys`.
      if (read[index - 1] === '\\' && /^[nrt]/.test(token)) tell(token.slice(1), index + 1)
    }
    findLabeled(read, found)
    if (isProse) findPhrases(read, found)
  }
}
