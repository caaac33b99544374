import { renderDocument, truncateToolOutput } from '@longhaul/engine'
import type { Entry, Message, MessageEntry, Part, Usage } from '@longhaul/engine'
import type { ImportedSession } from '@longhaul/store/jsonl'

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
export interface RecordedSummary {
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
  readonly messages: readonly ReplayMessage[]
  readonly recorded: readonly RecordedSummary[]
  /** No message says when it was sent; then every prompt cache is taken for warm. */
  readonly hasTimes: boolean
}

/** Answers that failed or were cancelled are left out: programs do not send them again. */
export function createConversation({ session, entries }: ImportedSession): Conversation {
  const spoken = entries.filter(isSpoken)
  const places = new Map(spoken.map(({ seq }, index) => [seq, index]))
  let now = 0
  const messages = spoken.map((entry, index) => {
    now = Math.max(now, entry.at)
    return createMessage(entry, index, now)
  })
  return {
    name: session.title ?? session.id,
    model: session.model ?? null,
    system: session.systemPrompt ?? null,
    messages,
    recorded: entries.flatMap((entry) => readRecorded(entry, entries, places)),
    hasTimes: new Set(spoken.map(({ at }) => at)).size > 1,
  }
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
      const known = cut.get(key) ?? truncateParts(parts, rule)
      cut.set(key, known)
      return known
    },
  }
}

function truncateParts(parts: readonly Part[], rule: StorageRule): readonly Part[] {
  let isCut = false
  const shorter = parts.map((part) => {
    if (part.type !== 'tool-result') return part
    const { output, truncated } = truncateToolOutput(part.output, rule)
    isCut ||= truncated
    return truncated ? { ...part, output } : part
  })
  return isCut ? shorter : parts
}

function readRecorded(
  entry: Entry,
  entries: readonly Entry[],
  places: ReadonlyMap<number, number>,
): readonly RecordedSummary[] {
  if (entry.type !== 'compaction') return []
  const placeFrom = (seq: number): number => {
    const next = entries.find((other) => other.seq >= seq && places.has(other.seq))
    return next === undefined ? places.size : (places.get(next.seq) ?? places.size)
  }
  return [
    {
      afterMessages: placeFrom(entry.seq),
      firstKept: placeFrom(entry.fromSeq),
      text: renderDocument(entry.document),
    },
  ]
}
