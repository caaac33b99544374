import { renderDocument, truncateResults } from '@longhaul/engine/advanced'
import type { Entry, Message, MessageEntry, Part, Usage } from '@longhaul/engine/advanced'
import type { TranscriptPart } from '../transcripts/transcript-file.ts'

/** How a policy stores what a tool answered. */
export interface StorageRule {
  readonly keep: 'head' | 'head-tail'
  readonly maxChars: number
}

export interface ReplayMessage extends Message {
  readonly index: number
  /** Milliseconds since 1970; never before the message ahead of it. */
  readonly at: number
  /** What the provider billed for the request that this answers; null where the transcript does not say. */
  readonly bill: Usage | null
  /** As a policy would have stored it: long tool outputs cut. The same list for the same rule. */
  storedParts(rule: StorageRule): readonly Part[]
}

/** A summary that the program which wrote the transcript made. */
interface RecordedSummary {
  /** How many messages there had been. */
  readonly afterMessages: number
  /** The first message that it left in place. */
  readonly firstKept: number
  readonly text: string
}

/** A transcript as it is replayed: what was said is given, what was sent is not. */
export interface Conversation {
  readonly name: string
  readonly model: string | null
  readonly system: string | null
  /** Of the part at hand, with their places in the whole. */
  readonly messages: readonly ReplayMessage[]
  readonly recorded: readonly RecordedSummary[]
  /** No message says when it was sent; then every prompt cache is taken for warm. */
  readonly hasTimes: boolean
  /** One of the part at hand, or an earlier one that is still in use. */
  messageAt(index: number): ReplayMessage | undefined
}

/** A conversation that may go on in another part. */
export interface OpenConversation extends Conversation {
  /** Of the parts before, only messages in use are kept. */
  continueWith(next: TranscriptPart, inUse: ReadonlySet<number>): void
}

/** Answers that failed or were cancelled are left out: programs do not send them again. */
export function createConversation(first: TranscriptPart): OpenConversation {
  const { session } = first
  let part = readPart(first, { index: 0, at: 0 })
  const kept = new Map<number, ReplayMessage>()
  const messageAt = (index: number): ReplayMessage | undefined =>
    part.messages[index - part.start.index] ?? kept.get(index)
  return {
    name: session.title ?? session.id,
    model: session.model ?? null,
    system: session.systemPrompt ?? null,
    hasTimes: new Set(part.messages.map(({ at }) => at)).size > 1,
    get messages() {
      return part.messages
    },
    get recorded() {
      return part.recorded
    },
    messageAt,
    continueWith(next, inUse) {
      const { start, messages } = part
      for (const index of kept.keys()) if (!inUse.has(index)) kept.delete(index)
      for (const message of messages) if (inUse.has(message.index)) kept.set(message.index, message)
      part = readPart(next, { index: start.index + messages.length, at: messages.at(-1)?.at ?? start.at })
    },
  }
}

interface Start {
  readonly index: number
  readonly at: number
}

function readPart({ entries }: TranscriptPart, start: Start) {
  const spoken = entries.filter(isSpoken)
  const places = new Map(spoken.map(({ seq }, place) => [seq, start.index + place]))
  let now = start.at
  const messages = spoken.map((entry, place) => {
    now = Math.max(now, entry.at)
    return createMessage(entry, start.index + place, now)
  })
  const end = start.index + messages.length
  return { start, messages, recorded: entries.flatMap((entry) => readRecorded(entry, entries, { places, end })) }
}

function isSpoken(entry: Entry): entry is MessageEntry {
  return entry.type === 'message' && entry.finish !== 'error' && entry.finish !== 'aborted'
}

/** Without reasoning: providers want none of it once what came before has changed. */
function createMessage({ role, parts: stored, usage }: MessageEntry, index: number, at: number): ReplayMessage {
  const parts = stored.filter(({ type }) => type !== 'reasoning')
  const cut = new Map<string, readonly Part[]>()
  return {
    role,
    parts,
    index,
    at,
    bill: role === 'assistant' && usage !== undefined && usage.input > 0 ? usage : null,
    storedParts(rule) {
      const key = `${rule.keep} ${rule.maxChars}`
      const known = cut.get(key) ?? truncateResults({ role, parts }, rule).parts
      cut.set(key, known)
      return known
    },
  }
}

interface Places {
  /** By the number of its entry: where a message stands. */
  readonly places: ReadonlyMap<number, number>
  readonly end: number
}

function readRecorded(entry: Entry, entries: readonly Entry[], { places, end }: Places): readonly RecordedSummary[] {
  if (entry.type !== 'compaction') return []
  const placeFrom = (seq: number): number => {
    const next = entries.find((other) => other.seq >= seq && places.has(other.seq))
    return next === undefined ? end : (places.get(next.seq) ?? end)
  }
  return [
    {
      afterMessages: placeFrom(entry.seq),
      firstKept: placeFrom(entry.fromSeq),
      text: renderDocument(entry.document),
    },
  ]
}
