import type { Conversation } from '../conversation/conversation.ts'
import { SENTENCES } from './facts/fact.ts'
import type { Fact } from './facts/fact.ts'
import { createFactBook } from './facts/fact-book.ts'
import { partText } from './pieces.ts'
import { createWordIndex, splitWords } from './word-index.ts'

/**
 * What user and model refer back to, message by message, within the part at hand. It comes from the original messages
 * alone: the same for every policy.
 */
export interface ReferenceBook {
  /** Everything that user or model said or did, tool inputs included, with the messages in which it stands. */
  readonly facts: ReadonlyMap<Fact, ReadonlySet<number>>
  /** By message: facts it mentions that were last mentioned a while before it. */
  readonly byMessage: ReadonlyMap<number, readonly Fact[]>
  /** The newest message that refers back to a fact. */
  readonly lastReference: ReadonlyMap<Fact, number>
  /** Earlier messages that fit the rest of a message's words: a search by somebody who does not know what is looked for. */
  findBlindly(message: number): readonly number[]
  /** Messages that fit a question. */
  find(question: string): readonly number[]
}

/** For a replay that does not measure what contexts hold. */
export const EMPTY_BOOK: ReferenceBook = {
  facts: new Map(),
  byMessage: new Map(),
  lastReference: new Map(),
  findBlindly: () => [],
  find: () => [],
}

/** What was mentioned within this many messages is the same train of thought, not a reference back. */
const MIN_DISTANCE_MESSAGES = 10

export function createReferenceBook({ messages }: Conversation): ReferenceBook {
  const { byMessage: occurrences } = createFactBook(messages)
  const places = new Map<Fact, Set<number>>()
  const said = new Set<Fact>()
  const byMessage = new Map<number, readonly Fact[]>()
  const lastReference = new Map<Fact, number>()
  const newest = new Map<Fact, number>()
  const start = messages[0]?.index ?? 0
  occurrences.forEach((found, place) => {
    const index = start + place
    const mentioned = new Set(found.filter(({ origin }) => origin === 'said').map(({ fact }) => fact))
    const back = [...mentioned].filter(
      (fact) => !SENTENCES.has(fact.kind) && index - (newest.get(fact) ?? index) >= MIN_DISTANCE_MESSAGES,
    )
    if (back.length > 0) byMessage.set(index, back)
    for (const fact of back) lastReference.set(fact, index)
    for (const fact of mentioned) said.add(fact)
    for (const { fact } of found) {
      newest.set(fact, index)
      places.set(fact, (places.get(fact) ?? new Set()).add(index))
    }
  })
  const texts = messages.map(({ parts }) => parts.map(partText).join('\n'))
  const words = createWordIndex(texts)
  const blind = new Map<number, readonly number[]>()
  return {
    facts: new Map([...places].filter(([fact]) => said.has(fact))),
    byMessage,
    lastReference,
    findBlindly(message) {
      const known = blind.get(message)
      if (known !== undefined) return known
      const hidden = new Set((byMessage.get(message) ?? []).flatMap(wordsOf))
      const asked = splitWords(texts[message - start] ?? '').filter((word) => !hidden.has(word))
      const found = words.search(asked, message - start).map((place) => start + place)
      blind.set(message, found)
      return found
    },
    find: (question) => words.search(splitWords(question), texts.length).map((place) => start + place),
  }
}

function wordsOf({ text, needles, lineNeedles }: Fact): readonly string[] {
  return [text, ...needles, ...lineNeedles].flatMap(splitWords)
}
