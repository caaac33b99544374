import { createInMemoryStore } from '@longhaul/store'
import type { InboxItem, InboxKind, Store } from '@longhaul/store/port'
import { describe, expect, it } from 'vitest'
import type { ActiveSession } from '../session/active-session.ts'
import { createInboxReader } from './inbox-reader.ts'

async function open(change: (store: Store) => Store = (store) => store) {
  const inner = createInMemoryStore()
  await inner.sessions.create({ id: 's', createdAt: 1 })
  const acquired = await inner.leases.acquire('s', { id: 'test', host: 'test', pid: 1, startedAt: '' })
  if (!acquired.ok) throw new Error('Somebody else has the session.')
  const { lease } = acquired
  const store = change(inner)
  const heard: string[] = []
  const session = { agent: { store }, id: 's', lease } as unknown as ActiveSession
  const reader = createInboxReader(session, {
    isInHand: () => false,
    mayBegin: () => true,
    begin: ({ id }) => void heard.push(`begin ${id}`),
    cancel: () => void heard.push('cancel'),
    answer: (callId, allow) => void heard.push(`${callId} ${allow}`),
    leave: () => void heard.push('leave'),
  })
  const put = async (id: string, kind: InboxKind, payload = {}): Promise<void> => {
    await inner.inbox.put({ sessionId: 's', id, at: 1, kind, payload })
  }
  return { store: inner, reader, heard, put, lease }
}

describe('the inbox', () => {
  it('is taken in order; cancels and approvals are dealt with at once, for what they were meant', async () => {
    const { reader, heard, put, store, lease } = await open()
    await put('x1', 'cancel')
    await put('m1', 'message', { text: 'One' })
    await put('a1', 'approval', { callId: 'c1', allow: true })
    await put('x2', 'cancel')
    await put('m2', 'message', { text: 'Two' })
    expect((await reader.take())?.id).toBe('m1')
    expect(heard).toEqual(['cancel', 'begin m1', 'c1 true', 'cancel'])
    await store.inbox.settle(lease, ['m1'])
    expect((await reader.take())?.id).toBe('m2')
    expect(heard.slice(4)).toEqual(['begin m2'])
    await store.inbox.settle(lease, ['m2'])
    expect(await reader.take()).toBeNull()
  })

  it('looking takes nothing', async () => {
    const { reader, heard, put, store } = await open()
    await put('m1', 'message', { text: 'One' })
    await put('x1', 'cancel')
    expect(await reader.look(), 'something waits').toMatchObject({ id: 'm1', kind: 'message' })
    expect(heard).toEqual(['cancel'])
    expect((await store.inbox.list('s')).map(({ id }) => id)).toEqual(['m1'])
  })

  it('a cancel seen by two looks at once stops one turn, not the next as well', async () => {
    const slow = (store: Store): Store => ({
      ...store,
      inbox: {
        ...store.inbox,
        // A list that was made early and comes late, as from a database with many connections.
        async list(sessionId): Promise<readonly InboxItem[]> {
          const items = await store.inbox.list(sessionId)
          await new Promise((resolve) => setImmediate(resolve))
          return items
        },
      },
    })
    const { reader, heard, put } = await open(slow)
    await put('x1', 'cancel')
    await put('m1', 'message', { text: 'One' })
    await Promise.all([reader.look(), reader.take(), reader.look()])
    expect(heard.filter((what) => what === 'cancel')).toHaveLength(1)
  })

  it('of a deleted session is left alone', async () => {
    const { reader, heard, put, store } = await open()
    await put('m1', 'message', { text: 'One' })
    await store.sessions.setDeleted('s', 1)
    expect(await reader.look()).toBeNull()
    expect(await reader.take()).toBeNull()
    expect(heard).toEqual(['leave', 'leave'])
  })

  it('goes on after a look that failed', async () => {
    let isDown = true
    const { reader, put } = await open((store) => ({
      ...store,
      inbox: {
        ...store.inbox,
        list: (sessionId) => (isDown ? Promise.reject(new Error('down')) : store.inbox.list(sessionId)),
      },
    }))
    await put('m1', 'message', { text: 'One' })
    await expect(reader.look()).rejects.toThrow('down')
    isDown = false
    expect((await reader.take())?.id).toBe('m1')
  })
})
