import type { List, Message, NumberedEvent } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { followConversation } from './follow-conversation.ts'
import type { FollowInput } from './follow-conversation.ts'
import type { ConversationAction } from './reduce-conversation.ts'

const done: NumberedEvent = { id: '7', event: { type: 'done', turnId: 'm1' } }

/** Answers with these pages, the newest first. */
async function follow(...pages: readonly List<Message>[]) {
  const actions: ConversationAction[] = []
  const wishes: unknown[] = []
  const asked: unknown[] = []
  const client: FollowInput['client'] = {
    listMessages: async (_sessionId, page) => pages[asked.push(page?.before) - 1] ?? { items: [], next: null },
    async *follow(_sessionId, { signal: _signal, onConnection, onStart, ...wish }) {
      wishes.push(wish)
      onStart?.('6')
      onConnection?.(true)
      yield done
    },
  }
  const { signal } = new AbortController()
  await followConversation({ client, sessionId: 's1', signal, dispatch: (action) => actions.push(action) })
  return { actions, wishes, asked }
}

describe('opening a conversation', () => {
  const asked: Message = { type: 'message', seq: 1, id: 'm1', at: 1, role: 'user', parts: [] }
  const queued: Message = { ...asked, id: 'm2', seq: null, queued: true }
  const answered: Message = { ...asked, id: 'a1', seq: 5, role: 'assistant' }

  it('loads its newest page, then follows it from its last turn on', async () => {
    const { actions, wishes } = await follow({ items: [asked, queued], next: '1' })
    expect(wishes).toEqual([{ since: 'm1' }])
    expect(actions).toEqual([
      { type: 'newer-loaded', items: [asked, queued], asOfEvent: 0, hasOlder: true },
      { type: 'stream-started', after: 6 },
      { type: 'connection', isConnected: true },
      { type: 'event', numbered: done },
    ])
  })

  it('loads on where the last turn began before the newest page, and never hears all events', async () => {
    const page = await follow({ items: [answered, queued], next: '5' }, { items: [asked], next: '1' })
    expect(page.asked.slice(1)).toEqual(['5'])
    expect(page.wishes).toEqual([{ since: 'm1' }])
    expect(page.actions[1]).toEqual({ type: 'older-loaded', items: [asked], beforeSeq: 5, hasOlder: true })
    const unasked = await follow({ items: [answered], next: null })
    expect(unasked.wishes).toEqual([{ since: 'a1' }])
  })

  it('follows an empty one from its first event', async () => {
    const { wishes } = await follow({ items: [], next: null })
    expect(wishes).toEqual([{ after: '0' }])
  })
})
