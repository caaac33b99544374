import type { Attachment, Message } from '@longhaul/protocol'
import type { Conversation, LiveTurn, WaitingMessage } from './conversation.ts'

interface NewerPage {
  readonly items: readonly Message[]
  readonly asOfEvent: number
  readonly hasOlder?: boolean
}

/** Takes in messages that follow the newest known one, and those that wait. What they cover stops being live. */
export function mergeNewer(conversation: Conversation, { items, asOfEvent, hasOlder }: NewerPage): Conversation {
  const stored = items.filter(({ queued }) => queued !== true)
  const messages = appendNewer(conversation.messages, stored)
  const turns = conversation.turns.flatMap((turn) => (isCovered(turn, messages, asOfEvent) ? [] : [turn]))
  return {
    ...conversation,
    messages,
    hasOlder: conversation.isLoaded ? conversation.hasOlder : (hasOlder ?? false),
    isLoaded: true,
    turns,
    waiting: mergeWaiting(conversation, items, messages),
    revision: conversation.revision + 1,
  }
}

export function mergeOlder(
  conversation: Conversation,
  { items, hasOlder }: { readonly items: readonly Message[]; readonly hasOlder: boolean },
): Conversation {
  const firstSeq = conversation.messages[0]?.seq ?? Number.POSITIVE_INFINITY
  const older = items.filter(({ seq }) => seq !== null && seq < firstSeq)
  return { ...conversation, messages: [...older, ...conversation.messages], hasOlder }
}

function appendNewer(known: readonly Message[], items: readonly Message[]): readonly Message[] {
  const lastSeq = known.at(-1)?.seq ?? Number.NEGATIVE_INFINITY
  const newer = items.filter(({ seq }) => seq !== null && seq > lastSeq)
  return newer.length === 0 ? known : [...known, ...newer]
}

/**
 * Whatever an event tells was stored before it was told. So a page that was asked for after a turn's last event holds
 * all of that turn, and so does one with a later message of the user.
 */
function isCovered({ turnId, doneEvent }: LiveTurn, messages: readonly Message[], asOfEvent: number): boolean {
  return (doneEvent !== null && asOfEvent >= doneEvent) || isFollowed(messages, turnId)
}

/** Whether the user has spoken since, in what is stored. */
export function isFollowed(messages: readonly Message[], turnId: string): boolean {
  const asked = messages.findLastIndex(({ id }) => id === turnId)
  return asked !== -1 && messages.slice(asked + 1).some(({ role }) => role === 'user')
}

/** Those of this page stay where they are until they are stored; those that others sent join them. */
function mergeWaiting(
  { waiting, turns }: Conversation,
  items: readonly Message[],
  messages: readonly Message[],
): readonly WaitingMessage[] {
  const stored = new Set(messages.map(({ id }) => id))
  const begun = new Set(turns.map(({ turnId }) => turnId))
  const queued = new Map(items.filter((item) => item.queued === true).map((item) => [item.id, item]))
  const known = waiting
    .filter(({ id }) => !stored.has(id))
    .map((each) => (queued.has(each.id) && each.state !== 'queued' ? { ...each, state: 'queued' as const } : each))
  const knownIds = new Set(known.map(({ id }) => id))
  const others = [...queued.values()].filter(({ id }) => !knownIds.has(id) && !begun.has(id)).map(toWaiting)
  return [...known, ...others]
}

function toWaiting({ id, parts }: Message): WaitingMessage {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const attachments = parts.filter((part): part is Attachment => part.type === 'image' || part.type === 'file')
  return { id, text, attachments, state: 'queued', problem: null }
}
