import type { Message } from '@longhaul/engine/advanced'
import { foldName } from '../facts/fold-name.ts'
import type { FactState } from './fact-table.ts'
import { splitMessage } from './segment.ts'
import type { WindowText } from './window-view.ts'

/**
 * Looks once more, by plain search, whether the window has a fact before it is told as lost: a quotation without its
 * marks, a name as a part of a longer one.
 */
export interface SecondLook {
  addHead(text: string): void
  addMessage(number: number, message: Message): void
  setView(messages: ReadonlySet<number>, texts: readonly WindowText[]): void
  isKnown(fact: FactState): boolean
}

/** For a whole session. When they are used up, what could not be looked for counts as known: nobody is accused unheard. */
const MAX_SEARCHED_CHARS = 60_000_000
/** Whole words without capitals: `Next Steps` is no name where somebody writes of next steps. */
const WORD = /(?<![\p{L}\p{N}])\p{Ll}{3,}/gu

export function createSecondLook(): SecondLook {
  const heads: string[] = []
  const messages = new Map<number, Message>()
  const folded = new WeakMap<Message, string>()
  const smallWords = new Set<string>()
  let unread: Message[] = []
  let texts: readonly WindowText[] = []
  let left = MAX_SEARCHED_CHARS

  const fold = (message: Message): string => {
    const known = folded.get(message) ?? foldName(textsOf(message).join('\n'))
    folded.set(message, known)
    return known
  }
  const isIn = (wanted: string, text: string): boolean => {
    left -= text.length
    return left < 0 || text.includes(wanted)
  }
  /** A name whose words all occur without capitals is a phrase. */
  const isPhrase = (text: string): boolean => {
    for (const message of unread) {
      for (const said of textsOf(message)) for (const [word] of said.matchAll(WORD)) smallWords.add(word)
    }
    unread = []
    return text.split(/[ -]/).some((word) => smallWords.has(word.toLowerCase()))
  }
  return {
    addHead(text) {
      heads.push(foldName(text))
    },
    addMessage(number, message) {
      messages.set(number, message)
      unread.push(message)
    },
    setView(kept, next) {
      for (const number of messages.keys()) if (!kept.has(number)) messages.delete(number)
      texts = next
    },
    isKnown({ kind, text, key }) {
      if (kind === 'name' && isPhrase(text)) return true
      const wanted = foldName(kind === 'path' || kind === 'code' ? key : text)
      if (heads.some((head) => isIn(wanted, head)) || texts.some(({ message }) => isIn(wanted, fold(message))))
        return true
      if (kind !== 'quote' && kind !== 'name') return false
      return [...messages.values()].some((message) => isIn(wanted, fold(message)))
    },
  }
}

function textsOf(message: Message): readonly string[] {
  return splitMessage(message).map(({ text }) => text)
}
