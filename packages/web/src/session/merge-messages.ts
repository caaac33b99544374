import type { Attachment, Message } from '@longhaul/protocol'
import type { Conversation, LiveTurn, WaitingMessage } from './conversation.ts'

interface NewerPage {
  readonly items: readonly Message[]
  readonly asOfEvent: number
  readonly hasOlder?: boolean
}

interface OlderPage {
  readonly items: readonly Message[]
  readonly beforeSeq: number
  readonly hasOlder: boolean
}

/** Takes in messages that follow the newest known one, and those that wait. What they cover stops being live. */
export function mergeNewer(conversation: Conversation, page: NewerPage): Conversation {
  const { items, asOfEvent } = page
  const { revision } = conversation
  const stored = items.filter(({ queued }) => queued !== true)
  const isApart = page.hasOlder === true && !isMeeting(conversation.messages, stored)
  const messages = isApart ? stored : appendNewer(conversation.messages, stored)
  const turns = conversation.turns.flatMap((turn) => (isCovered(turn, messages, asOfEvent) ? [] : [turn]))
  return {
    ...conversation,
    messages,
    hasOlder: conversation.isLoaded && !isApart ? conversation.hasOlder : (page.hasOlder ?? false),
    isLoaded: true,
    turns,
    waiting: mergeWaiting(conversation, items, messages),
    revision: conversation.isLoaded && messages !== conversation.messages ? revision + 1 : revision,
  }
}

/** Takes in the page before the oldest known message; one that was asked for before another message is dropped. */
export function mergeOlder(conversation: Conversation, { items, beforeSeq, hasOlder }: OlderPage): Conversation {
  if (conversation.messages[0]?.seq !== beforeSeq) return conversation
  const older = items.filter(({ seq }) => seq !== null && seq < beforeSeq)
  return { ...conversation, messages: [...older, ...conversation.messages], hasOlder }
}

/** Whether the newest page reaches back to what is known: else messages between them would be missing for good. */
function isMeeting(known: readonly Message[], newest: readonly Message[]): boolean {
  const lastSeq = known.at(-1)?.seq ?? Number.NEGATIVE_INFINITY
  return newest.length === 0 || newest.some(({ seq }) => seq !== null && seq <= lastSeq)
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
