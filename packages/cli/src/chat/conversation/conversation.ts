import type { Block, Tone } from './block.ts'

/** Something typed while something else was under way. */
export interface WaitingMessage {
  readonly id: string
  readonly text: string
}

/** A tool call that somebody must allow. */
interface ApprovalQuestion {
  readonly id: string
  /** All of the call, as a person must see it. */
  readonly display: string
}

interface Turn {
  readonly id: string
  readonly isAnswered: boolean
  readonly hasFailed: boolean
  /** The block that the next words belong to, wherever it is by now: commands and notices may have come after it. */
  readonly growing: { readonly kind: 'assistant' | 'reasoning'; readonly index: number } | null
}

/** A session as it is shown: what was said, what is going on, what waits. */
export interface Conversation {
  readonly blocks: readonly Block[]
  readonly waiting: readonly WaitingMessage[]
  /** The turn under way. */
  readonly turn: Turn | null
  /** What is going on, in a few words; null: nothing. */
  readonly activity: string | null
  readonly approvals: readonly ApprovalQuestion[]
  /** Whoever asked for a compaction is told what came of it in another way. */
  readonly isManualCompaction: boolean
}

export const EMPTY_CONVERSATION: Conversation = {
  blocks: [],
  waiting: [],
  turn: null,
  activity: null,
  approvals: [],
  isManualCompaction: false,
}

export const THINKING = 'Thinking…'

export function addBlock(conversation: Conversation, block: Block): Conversation {
  return { ...conversation, blocks: [...conversation.blocks, block] }
}

export function addNotice(conversation: Conversation, tone: Tone, text: string): Conversation {
  return addBlock(conversation, { kind: 'notice', tone, text })
}

/** Said at once where nothing is under way; else it waits, visibly. */
export function addMessage(conversation: Conversation, message: WaitingMessage): Conversation {
  const isFree = conversation.turn === null && conversation.waiting.length === 0
  return isFree ? startTurn(conversation, message) : { ...conversation, waiting: [...conversation.waiting, message] }
}

/** A message that could not be sent is not there. */
export function dropMessage(conversation: Conversation, id: string): Conversation {
  const isItsTurn = conversation.turn?.id === id
  return {
    ...conversation,
    blocks: conversation.blocks.filter((block) => block.kind !== 'user' || block.id !== id),
    waiting: conversation.waiting.filter((message) => message.id !== id),
    ...(isItsTurn ? { turn: null, activity: null } : {}),
  }
}

export function startTurn(conversation: Conversation, { id, text }: WaitingMessage): Conversation {
  const started = addBlock(conversation, { kind: 'user', id, text })
  return {
    ...started,
    waiting: started.waiting.filter((message) => message.id !== id),
    turn: newTurn(id),
    activity: THINKING,
  }
}

export function newTurn(id: string): Turn {
  return { id, isAnswered: false, hasFailed: false, growing: null }
}

/** What waits longest is next. */
export function endTurn(conversation: Conversation): Conversation {
  const over = { ...conversation, turn: null, activity: null, approvals: [] }
  const [next] = over.waiting
  return next === undefined ? over : startTurn(over, next)
}
