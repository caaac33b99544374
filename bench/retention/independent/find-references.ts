import type { Message } from '@longhaul/engine/advanced'
import { findMentions } from './find-mentions.ts'
import { createHolds, findSharedNames } from './holds-mention.ts'
import type { Holds } from './holds-mention.ts'
import { MENTION_KINDS } from './mention.ts'
import type { Mention, MentionKind } from './mention.ts'
import { textOf } from './message-text.ts'
import { createPhraseFinder } from './unspaced-phrases.ts'

/** Something rare that user or model mention again after a while. */
export interface Reference {
  readonly kind: MentionKind
  readonly text: string
  /** Until now only outputs of programs had it. */
  readonly isShownOnly: boolean
  /** How many messages had it before. */
  readonly earlier: number
  readonly holds: Holds
}

/** A message as far as the measure looks at it. */
export interface SpokenMessage extends Message {
  /** The words of user or model; what a program wrote, in whatever role, mentions nothing but may be mentioned later. */
  readonly said: string | null
}

const MIN_DISTANCE = 10
/** In more messages than this before, it is nothing rare. */
const MAX_EARLIER = 5
/** A listing of hundreds of names would outweigh a conversation; of such a message the rarest and longest count. */
const MAX_PER_MESSAGE = 10

/** By message: what it refers back to. From the original messages alone, so the same for every policy. */
export function findReferences(
  messages: readonly SpokenMessage[],
  system: string,
): ReadonlyMap<number, readonly Reference[]> {
  const texts = messages.map((message) => textOf(message))
  const mentions = texts.map((text) => findMentions(text))
  const sharedNames = findSharedNames(mentions.flat())
  const plainWords = collectPlainWords(texts)
  const earlier = new Map<string, { places: number[]; isShownOnly: boolean }>()
  const phrases = createPhraseFinder(texts)
  const references = new Map<number, readonly Reference[]>()

  const isFarBack = (index: number, holds: Holds): boolean =>
    !holds(system) && !texts.slice(Math.max(0, index - MIN_DISTANCE + 1), index).some((text) => holds(text))
  const refer = (index: number, mention: Mention): readonly Reference[] => {
    const known = earlier.get(mention.text)
    if (known === undefined || known.places.length > MAX_EARLIER) return []
    if (index - (known.places.at(-1) ?? index) < MIN_DISTANCE) return []
    const holds = createHolds(mention, sharedNames)
    return isFarBack(index, holds)
      ? [{ ...mention, isShownOnly: known.isShownOnly, earlier: known.places.length, holds }]
      : []
  }

  for (const [index, message] of messages.entries()) {
    const { said } = message
    const found = (mentions[index] ?? []).filter(({ kind, text }) => kind !== 'name' || isProperName(text, plainWords))
    const repeated = phrases
      .find(index, texts[index] ?? '')
      .filter(({ lastIndex }) => index - lastIndex >= MIN_DISTANCE)
      .map(({ text }): Reference => {
        const mention: Mention = { kind: 'name', text }
        return { ...mention, isShownOnly: false, earlier: 1, holds: createHolds(mention, sharedNames) }
      })
      .filter(({ holds }) => isFarBack(index, holds))
    const isSaid = (mention: Mention): boolean => said !== null && said.includes(mention.text)
    if (said !== null) {
      const again = found.filter(isSaid).flatMap((mention) => refer(index, mention))
      const all = chooseReferences([...again, ...repeated.filter(isSaid)])
      if (all.length > 0) references.set(index, all)
    }
    for (const mention of found) {
      const { text } = mention
      const known = earlier.get(text) ?? { places: [], isShownOnly: true }
      known.places.push(index)
      if (isSaid(mention)) known.isShownOnly = false
      earlier.set(text, known)
    }
  }
  return references
}

/** Words that somebody wrote in lower case: capitals do not make them names. */
function collectPlainWords(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(/(?<![\p{L}\p{N}_])\p{Ll}{3,}(?![\p{L}\p{N}_])/gu) ?? []))
}

function isProperName(name: string, plainWords: ReadonlySet<string>): boolean {
  return name.split(' ').some((word) => !plainWords.has(word.toLowerCase()))
}

/** A reference inside of another one of the same message counts once, as the longer one; quotes count last. */
function chooseReferences(references: readonly Reference[]): readonly Reference[] {
  const order = references.toSorted(
    (a, b) => b.text.length - a.text.length || MENTION_KINDS.indexOf(a.kind) - MENTION_KINDS.indexOf(b.kind),
  )
  const kept: Reference[] = []
  for (const reference of order) {
    if (!kept.some(({ text }) => text.includes(reference.text))) kept.push(reference)
  }
  return kept.toSorted((a, b) => a.earlier - b.earlier || b.text.length - a.text.length).slice(0, MAX_PER_MESSAGE)
}
