import type { NumberedEvent, SessionEvent } from '@longhaul/protocol'
import { findLastTurnId, isKnown, isStored } from './conversation.ts'
import type { CardBody, Conversation, LivePart, LiveStep, LiveTurn } from './conversation.ts'
import { addPart, completeStep, dropOpenStep } from './live-steps.ts'
import { isFollowed } from './merge-messages.ts'

/** Takes in one event, once: what was seen before a reconnection changes nothing. */
export function reduceEvent(conversation: Conversation, { id, event }: NumberedEvent): Conversation {
  const number = Number(id)
  if (number <= conversation.lastEvent) return conversation
  return applyEvent({ ...conversation, lastEvent: number, heard: conversation.heard + 1 }, event)
}

/**
 * Forgets what events beyond `after` told: they come again, or were lost and others come under their numbers. What was
 * said is stored, and is fetched.
 */
export function rewindEvents(conversation: Conversation, after: number): Conversation {
  if (after >= conversation.lastEvent) return conversation
  const { turns, waiting, cards, heard } = conversation
  const asked = turns.flatMap((turn) =>
    turn.asked === null || isStored(conversation, turn.turnId) ? [] : [{ ...turn.asked, state: 'queued' as const }],
  )
  return stale({
    ...conversation,
    lastEvent: after,
    waiting: [...asked, ...waiting],
    turns: [],
    results: {},
    approvals: [],
    maintenance: null,
    cards: cards.filter((card) => card.type === 'command' || card.event <= after),
    compactionsEvent: heard,
  })
}

function applyEvent(conversation: Conversation, event: SessionEvent): Conversation {
  const { turnId } = event
  const { results } = conversation
  switch (event.type) {
    case 'message-stored':
      return noteStored(conversation, event.id)
    case 'text-delta':
      return withPart(conversation, turnId, { type: 'text', text: event.text })
    case 'reasoning-delta':
      return withPart(conversation, turnId, { type: 'reasoning', text: event.text })
    case 'tool-call':
      return withPart(conversation, turnId, {
        type: 'tool-call',
        toolCallId: event.id,
        toolName: event.name,
        input: event.input,
      })
    case 'retry':
      return withSteps(conversation, turnId, (steps) => dropOpenStep(steps, results))
    case 'response-complete':
      return stale(withSteps(conversation, turnId, (steps) => completeStep(steps, results, event)))
    case 'tool-result':
      return withResult(conversation, event)
    case 'approval-needed': {
      const others = conversation.approvals.filter(({ callId }) => callId !== event.id)
      return { ...conversation, approvals: [...others, { callId: event.id, display: event.display }] }
    }
    case 'approval-settled':
      return { ...conversation, approvals: conversation.approvals.filter(({ callId }) => callId !== event.id) }
    case 'flush-started':
      return { ...conversation, maintenance: conversation.maintenance ?? 'flushing' }
    case 'compact-started':
      return { ...conversation, maintenance: 'compacting' }
    case 'flush-completed':
      // A compaction may still be under way beside it.
      return {
        ...changed(conversation),
        maintenance: conversation.maintenance === 'flushing' ? null : conversation.maintenance,
      }
    case 'compact-completed':
      return {
        ...(event.didCompact || event.fallback !== null ? withOtherCompactions(conversation) : changed(conversation)),
        maintenance: null,
      }
    case 'context-trimmed':
      return withCard(changed(conversation), turnId, { type: 'notice', text: event.message })
    case 'error':
      return withCard(conversation, turnId, { type: 'problem', code: event.code, text: event.message })
    case 'usage':
    case 'titled':
      return changed(conversation)
    case 'context-warning':
      return event.message === undefined
        ? changed(conversation)
        : withCard(changed(conversation), turnId, { type: 'notice', text: event.message })
    case 'request-settled':
      return isUndo(event) ? withOtherCompactions(conversation) : changed(conversation)
    case 'entries-added':
      return noteAdded(conversation, event.types)
    case 'done':
      return endTurn(conversation, turnId)
    case 'queued':
      return conversation
    default:
      event satisfies never
      return conversation
  }
}

/** The message is durable. One that this page did not send is fetched. */
function noteStored(conversation: Conversation, id: string): Conversation {
  const isOurs = conversation.waiting.some((each) => each.id === id)
  if (!isOurs) return isKnown(conversation, id) ? conversation : stale(conversation)
  return {
    ...conversation,
    waiting: conversation.waiting.map((each) =>
      each.id === id ? { ...each, state: 'queued' as const, problem: null } : each,
    ),
  }
}

/** A host has added to its conversation. Where it went back to an earlier message, what follows that one is shown no more. */
function noteAdded(conversation: Conversation, types: readonly string[]): Conversation {
  const isBranch = types.includes('branch')
  const hasCompactions = isBranch || types.some((type) => type === 'compaction' || type === 'compaction-undone')
  const next = hasCompactions ? withOtherCompactions(conversation) : changed(conversation)
  return isBranch ? { ...next, messages: [], hasOlder: false, isLoaded: false, isStale: false } : stale(next)
}

function withPart(conversation: Conversation, turnId: string | null, part: LivePart): Conversation {
  return withSteps(conversation, turnId, (steps) => addPart(steps, conversation.results, part))
}

/**
 * Changes the steps of a turn, which begins with the first event that tells of its answer. What is told again of a turn
 * that others followed is stored by now.
 */
function withSteps(
  conversation: Conversation,
  turnId: string | null,
  change: (steps: readonly LiveStep[]) => readonly LiveStep[],
): Conversation {
  if (turnId === null || isFollowed(conversation.messages, turnId)) return conversation
  const known = conversation.turns.find((turn) => turn.turnId === turnId)
  if (known !== undefined) {
    const turns = conversation.turns.map((turn) => (turn === known ? { ...turn, steps: change(turn.steps) } : turn))
    return { ...conversation, turns }
  }
  const asked = conversation.waiting.find(({ id }) => id === turnId) ?? null
  const turn: LiveTurn = { turnId, asked, steps: change([]), doneEvent: null }
  return {
    ...conversation,
    turns: [...conversation.turns, turn],
    waiting: conversation.waiting.filter(({ id }) => id !== turnId),
  }
}

function withResult(conversation: Conversation, event: SessionEvent & { readonly type: 'tool-result' }): Conversation {
  const { id, output, truncated, isError } = event
  return {
    ...conversation,
    results: { ...conversation.results, [id]: { output, isTruncated: truncated, isError } },
    approvals: conversation.approvals.filter(({ callId }) => callId !== id),
    // Where the whole output lies is told by the stored message only.
    isStale: conversation.isStale || truncated,
  }
}

function endTurn(conversation: Conversation, turnId: string | null): Conversation {
  if (turnId === null) return stale(changed(conversation))
  const begun = withSteps(conversation, turnId, (steps) => steps)
  const turns = begun.turns.map((turn) => (turn.turnId === turnId ? { ...turn, doneEvent: begun.heard } : turn))
  // A compaction that it set off may go on: its own end takes the notice away.
  return stale(changed({ ...begun, turns, approvals: [] }))
}

type EventCard = CardBody extends infer Body ? (Body extends { event: number } ? Omit<Body, 'event'> : never) : never

function withCard(conversation: Conversation, turnId: string | null, body: EventCard): Conversation {
  const { lastEvent: event, cards } = conversation
  const card = { id: `event-${event}`, turnId: turnId ?? findLastTurnId(conversation), event, ...body }
  return { ...conversation, cards: [...cards, card] }
}

/** Among all that a request may come to, only taking compactions back tells of them. */
function isUndo({ outcome }: SessionEvent & { readonly type: 'request-settled' }): boolean {
  const { result } = outcome
  return typeof result === 'object' && result !== null && 'undone' in result
}

function withOtherCompactions(conversation: Conversation): Conversation {
  return { ...changed(conversation), compactionsEvent: conversation.heard }
}

function stale(conversation: Conversation): Conversation {
  return { ...conversation, isStale: true }
}

function changed(conversation: Conversation): Conversation {
  return { ...conversation, revision: conversation.revision + 1 }
}
