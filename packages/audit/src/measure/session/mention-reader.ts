import type { Message, Part } from '@longhaul/engine/advanced'
import { createMentionFinder } from '../facts/find-mentions.ts'
import type { FindMentions } from '../facts/find-mentions.ts'
import { createPrintedCheck } from '../facts/find-printed.ts'
import type { Mention } from '../facts/mention.ts'
import { splitMessage } from './segment.ts'
import type { Segment } from './segment.ts'

/** A stretch of a message with all that it names. */
interface ReadSegment {
  readonly segment: Segment
  readonly mentions: readonly ReadMention[]
}

interface ReadMention {
  readonly mention: Mention
  readonly start: number
  /** The speaker refers to this thing on purpose, so the mention can count as a need. */
  readonly isUse: boolean
}

/** Reads messages once for all who follow the same session. */
export interface MentionReader {
  /** A message as it was said. */
  read(message: Message): readonly ReadSegment[]
  /** Any other text: a summary, a message in a shorter form, which may share parts with the whole one. */
  readAnew(message: Message): readonly ReadSegment[]
}

/** The reader remembers this much text of a session and reads the rest again, so that its memory stays bounded. */
const MAX_REMEMBERED_CHARS = 8_000_000

/** By the first part, because a replay makes messages of its own from the same parts. */
export function createMentionReader(): MentionReader {
  const find = createMentionFinder()
  const readAnew = (message: Message): readonly ReadSegment[] =>
    splitMessage(message).map((segment) => ({ segment, mentions: readMentions(segment, find) }))
  const known = new WeakMap<Part, readonly ReadSegment[]>()
  let left = MAX_REMEMBERED_CHARS
  return {
    read(message) {
      const [first] = message.parts.filter(({ type }) => type !== 'reasoning')
      const remembered = first === undefined ? undefined : known.get(first)
      if (remembered !== undefined) return remembered
      const segments = readAnew(message)
      left -= segments.reduce((sum, { segment }) => sum + segment.text.length, 0)
      if (first !== undefined && left > 0) known.set(first, segments)
      return segments
    },
    readAnew,
  }
}

function readMentions({ text, isProse, isUse }: Segment, find: FindMentions): readonly ReadMention[] {
  const mentions: ReadMention[] = []
  const seen = new Set<Mention>()
  const isPrinted = isProse ? createPrintedCheck(text) : () => false
  find(text, isProse, (mention, start) => {
    const isThing = mention.kind !== null || mention.isNameable === true
    const isNeed = isUse && isThing && !isPrinted(start)
    // A repeated mention that is not a use adds nothing.
    if (!isNeed && seen.has(mention)) return
    seen.add(mention)
    mentions.push({ mention, start, isUse: isNeed })
  })
  return mentions
}
