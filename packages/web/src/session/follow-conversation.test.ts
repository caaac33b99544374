import type { List, Message, NumberedEvent } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { followConversation } from './follow-conversation.ts'
import type { FollowInput } from './follow-conversation.ts'
import type { ConversationAction } from './reduce-conversation.ts'

const done: NumberedEvent = { id: '7', event: { type: 'done', turnId: 'm1' } }

async function follow(page: List<Message>) {
  const actions: ConversationAction[] = []
  const wishes: unknown[] = []
  const client: FollowInput['client'] = {
    listMessages: async () => page,
    async *follow(_sessionId, { signal: _signal, onConnection, ...wish }) {
      wishes.push(wish)
      onConnection?.(true)
      yield done
    },
  }
  const { signal } = new AbortController()
  await followConversation({ client, sessionId: 's1', signal, dispatch: (action) => actions.push(action) })
  return { actions, wishes }
}

describe('opening a conversation', () => {
  const asked: Message = { type: 'message', seq: 1, id: 'm1', at: 1, role: 'user', parts: [] }
  const queued: Message = { ...asked, id: 'm2', seq: null, queued: true }

  it('loads its newest page, then follows it from its last turn on', async () => {
    const { actions, wishes } = await follow({ items: [asked, queued], next: '1' })
    expect(wishes).toEqual([{ since: 'm1' }])
    expect(actions).toEqual([
      { type: 'newer-loaded', items: [asked, queued], asOfEvent: 0, hasOlder: true },
      { type: 'connection', isConnected: true },
      { type: 'event', numbered: done },
    ])
  })

  it('follows an empty one from its first event', async () => {
    const { wishes } = await follow({ items: [], next: null })
    expect(wishes).toEqual([{ after: '0' }])
  })
})
