import { outputText } from '@longhaul/engine'
import type { State } from '@longhaul/engine'
import { listMessages } from '../session/list-messages.ts'
import { textOfParts } from '../turn/text-of-parts.ts'

/** Most of its words, at least: models write down what was said in words of their own. */
const MIN_SHARE = 0.5

/**
 * Whether the user said something, rather than a page or a file that a tool has read: by how many of its words stand in
 * one message of the user, and whether more of them stand in one result. Where no tool has read anything, nobody else
 * can have said it.
 */
export function isUsersWord(state: State, text: string): boolean {
  const messages = listMessages(state).map(({ message }) => message)
  const read = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [outputText(part.output)] : [])),
  )
  if (read.length === 0) return true
  const said = [
    ...messages.flatMap(({ role, parts }) => (role === 'user' ? [textOfParts(parts)] : [])),
    ...(state.document?.ledger ?? []).flatMap((fact) => (fact.by === 'user' ? [fact.text] : [])),
  ]
  const words = wordsOf(text)
  const byUser = findShare(words, said)
  return byUser >= MIN_SHARE && byUser >= findShare(words, read)
}

function findShare(words: ReadonlySet<string>, texts: readonly string[]): number {
  if (words.size === 0) return 0
  return Math.max(0, ...texts.map((text) => words.intersection(wordsOf(text)).size / words.size))
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]{3,}/gu

/** Scripts without spaces count by their characters. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORD))
}
