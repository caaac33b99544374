import type { Attachment, CommandResult, Compaction, Message, NumberedEvent } from '@longhaul/protocol'
import { findLastTurnId, isKnown } from './conversation.ts'
import type { Card, CommandOutcome, Conversation, WaitingMessage } from './conversation.ts'
import { mergeNewer, mergeOlder } from './merge-messages.ts'
import { reduceEvent, rewindEvents } from './reduce-event.ts'

export type ConversationAction =
  /** The newest page, or what came after the newest known message; asked for when `asOfEvent` had been heard. */
  | {
      readonly type: 'newer-loaded'
      readonly items: readonly Message[]
      readonly asOfEvent: number
      /** Only the newest page says it. */
      readonly hasOlder?: boolean
    }
  | { readonly type: 'sync-started' }
  | { readonly type: 'sync-failed' }
  /** The page before a message. */
  | {
      readonly type: 'older-loaded'
      readonly items: readonly Message[]
      readonly beforeSeq: number
      readonly hasOlder: boolean
    }
  | { readonly type: 'event'; readonly numbered: NumberedEvent }
  | { readonly type: 'connection'; readonly isConnected: boolean }
  /** A stream of events begins: they come after this number. */
  | { readonly type: 'stream-started'; readonly after: number }
  | { readonly type: 'compactions-loaded'; readonly items: readonly Compaction[] }
  | {
      readonly type: 'message-sending'
      readonly id: string
      readonly text: string
      readonly attachments: readonly Attachment[]
    }
  | { readonly type: 'message-accepted'; readonly id: string }
  | { readonly type: 'message-refused'; readonly id: string; readonly problem: string }
  | { readonly type: 'message-discarded'; readonly id: string }
  | { readonly type: 'command-started'; readonly id: string; readonly line: string }
  | { readonly type: 'command-done'; readonly id: string; readonly result: CommandResult }
  | { readonly type: 'command-failed'; readonly id: string; readonly problem: string }
  | { readonly type: 'card-closed'; readonly id: string }

/**
 * What the page knows after one more thing happened. Events and pages may overlap and come late, as they do around
 * lost connections: an event counts once, and a message is shown once.
 */
export function reduceConversation(conversation: Conversation, action: ConversationAction): Conversation {
  switch (action.type) {
    case 'newer-loaded':
      return mergeNewer(conversation, action)
    case 'sync-started':
      return { ...conversation, isStale: false }
    case 'sync-failed':
      return { ...conversation, isStale: true }
    case 'older-loaded':
      return mergeOlder(conversation, action)
    case 'event':
      return reduceEvent(conversation, action.numbered)
    case 'connection':
      return withConnection(conversation, action.isConnected)
    case 'stream-started':
      return rewindEvents(conversation, action.after)
    case 'compactions-loaded':
      return { ...conversation, compactions: action.items }
    case 'message-sending':
      if (isKnown(conversation, action.id)) return conversation
      return withWaiting(conversation, { ...action, state: 'sending', problem: null })
    case 'message-accepted':
      return withState(conversation, action.id, { state: 'queued', problem: null })
    case 'message-refused':
      return withState(conversation, action.id, { state: 'failed', problem: action.problem })
    case 'message-discarded':
      return { ...conversation, waiting: conversation.waiting.filter(({ id }) => id !== action.id) }
    case 'command-started':
      return withCard(conversation, {
        type: 'command',
        id: action.id,
        turnId: findLastTurnId(conversation),
        line: action.line,
        outcome: { state: 'running' },
      })
    case 'command-done':
      return withOutcome(conversation, action.id, { state: 'done', result: action.result })
    case 'command-failed':
      return withOutcome(conversation, action.id, { state: 'failed', problem: action.problem })
    case 'card-closed':
      return { ...conversation, cards: conversation.cards.filter(({ id }) => id !== action.id) }
    default:
      return action satisfies never
  }
}

/** After a loss, the events of meanwhile may be gone for good: the messages tell what came of them. */
function withConnection(conversation: Conversation, isConnected: boolean): Conversation {
  if (!isConnected) return { ...conversation, connection: 'lost' }
  return { ...conversation, connection: 'open', isStale: conversation.isStale || conversation.connection === 'lost' }
}

/** A second attempt takes the place of the first. */
function withWaiting(conversation: Conversation, { id, text, attachments, state, problem }: WaitingMessage) {
  const others = conversation.waiting.filter((each) => each.id !== id)
  return { ...conversation, waiting: [...others, { id, text, attachments, state, problem }] }
}

function withState(
  conversation: Conversation,
  id: string,
  state: Pick<WaitingMessage, 'state' | 'problem'>,
): Conversation {
  return {
    ...conversation,
    waiting: conversation.waiting.map((each) => (each.id === id ? { ...each, ...state } : each)),
  }
}

function withCard(conversation: Conversation, card: Card): Conversation {
  return { ...conversation, cards: [...conversation.cards, card] }
}

function withOutcome(conversation: Conversation, id: string, outcome: CommandOutcome): Conversation {
  return {
    ...conversation,
    revision: conversation.revision + 1,
    cards: conversation.cards.map((card) => (card.id === id && card.type === 'command' ? { ...card, outcome } : card)),
  }
}
