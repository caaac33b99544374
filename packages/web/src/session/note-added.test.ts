import type { Message, SessionEvent } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { EMPTY_CONVERSATION } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { reduceConversation } from './reduce-conversation.ts'

const said = (seq: number): Message => ({ type: 'message', seq, id: `m${seq}`, at: seq, role: 'user', parts: [] })

function loaded(...items: readonly Message[]): Conversation {
  const page = { type: 'newer-loaded', items, asOfEvent: 0, hasOlder: true } as const
  return reduceConversation({ ...EMPTY_CONVERSATION, connection: 'open' }, page)
}

function hear(conversation: Conversation, id: number, types: readonly string[]): Conversation {
  const event: SessionEvent = { type: 'entries-added', turnId: null, types: [...types] }
  return reduceConversation(conversation, { type: 'event', numbered: { id: String(id), event } })
}

it('what a host adds is fetched; a branch drops what is shown, and the newest page takes its place', () => {
  const one = hear(loaded(said(3), said(4)), 1, ['message'])
  expect(one).toMatchObject({ isStale: true, isLoaded: true, compactionsEvent: 0 })
  const two = hear(one, 2, ['message', 'compaction'])
  expect(two).toMatchObject({ isStale: true, compactionsEvent: 2 })
  const emptied = hear(two, 3, ['branch', 'message'])
  expect(emptied).toMatchObject({ messages: [], isLoaded: false, isStale: false, hasOlder: false })
  const again = reduceConversation(emptied, {
    type: 'newer-loaded',
    items: [said(3), said(6)],
    asOfEvent: 3,
    hasOlder: true,
  })
  expect(again.messages.map(({ id }) => id)).toEqual(['m3', 'm6'])
  expect(again).toMatchObject({ isLoaded: true, hasOlder: true, isStale: false })
})
