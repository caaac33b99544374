import type { ClientList } from '../list/read-list.ts'
import type { Piece } from '../list/piece.ts'
import type { Signals } from './read-signals.ts'

/**
 * `turn`: the conversation goes on. `compaction`: the client asks for a summary of its own. `side`: a title, a topic, a
 * quota check, or the first message of what may never become a conversation: it is passed on and leaves nothing behind.
 */
export type CallKind = 'turn' | 'compaction' | 'side'

export interface CallFacts {
  readonly signals: Signals
  readonly list: ClientList
  readonly hasTools: boolean
}

const MAX_SIDE_BYTES = 32_000
/** Clients that name their conversations make side calls with as few messages as these. */
const MAX_SIDE_MESSAGES = 3

export function findCallKind({ signals, list, hasTools }: CallFacts): CallKind {
  const { said, span } = list
  if (signals.isCompaction || asksForSummary(said.at(-1))) return 'compaction'
  if (hasTools || signals.isExplicit || span.end - span.start > MAX_SIDE_BYTES) return 'turn'
  const isAnswered = said.some(({ message }) => message?.role === 'assistant')
  if (!isAnswered) return 'side'
  return signals.id !== null && said.length <= MAX_SIDE_MESSAGES ? 'side' : 'turn'
}

/** Claude Code's `/compact` is told apart by these words alone. */
function asksForSummary(last: Piece | undefined): boolean {
  return startsWith(last, /^\s*CRITICAL: Respond with TEXT ONLY/)
}

/** The client goes on from a summary of its own. */
export function goesOnFromSummary(list: ClientList): boolean {
  const words = /^\s*(?:This session is being continued from|Another language model started to solve this problem)/
  return list.said
    .slice(0, MAX_SUMMARY_PLACE)
    .some((piece) => piece.message?.role === 'user' && startsWith(piece, words))
}

const MAX_SUMMARY_PLACE = 40

function startsWith(piece: Piece | undefined, words: RegExp): boolean {
  const parts = piece?.message?.role === 'user' ? piece.message.parts : []
  return parts.some((part) => part.type === 'text' && words.test(part.text))
}
