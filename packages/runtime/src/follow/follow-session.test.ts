import { StoreError, createInMemoryStore } from '@longhaul/store'
import { AgentError } from '@longhaul/agent'
import { expect, it, onTestFinished } from 'vitest'
import { followSession } from './follow-session.ts'
import type { FollowedEvent } from './follow-session.ts'

async function follow(problem: () => AgentError | null) {
  const store = createInMemoryStore()
  await store.sessions.create({ id: 's', createdAt: 1 })
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  let checks = 0
  const checkStore = async (): Promise<AgentError | null> => {
    checks += 1
    return problem()
  }
  const events: FollowedEvent[] = []
  const ended = (async () => {
    for await (const event of followSession({ store, agent: { checkStore } }, 's', { signal: leaving.signal }))
      events.push(event)
  })()
  return { store, events, ended, leave: () => leaving.abort(), checks: () => checks }
}

const FULL = new AgentError('store-unavailable', 'The disk is full.', { cause: new StoreError('unavailable', 'full') })
const POLL = { timeout: 30_000 }

it('18.14 says once that the store takes nothing while something waits, and goes on with what is stored later', async () => {
  let problem: AgentError | null = FULL
  const { store, events, ended, leave } = await follow(() => problem)
  await store.events.add('s', 1, [{ turnId: 'm1', type: 'message-stored', id: 'm1' }])
  await store.inbox.put({ sessionId: 's', id: 'm1', at: 1, kind: 'message', payload: { text: 'Hello' } })
  await expect.poll(() => events.length, POLL).toBe(2)
  expect(events[1]).toMatchObject({ id: 1, isUnstored: true, event: { turnId: null, code: 'store-unavailable' } })
  problem = null
  await store.events.add('s', 1, [{ turnId: 'm1', type: 'done' }])
  await expect.poll(() => events.length, POLL).toBe(3)
  leave()
  await ended
  expect(events.map(({ event }) => event['type'])).toEqual(['message-stored', 'error', 'done'])
})

it('18.14 does not bother the store while nobody waits for anything', async () => {
  const { events, ended, leave, checks } = await follow(() => FULL)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  leave()
  await ended
  expect([events.length, checks()]).toEqual([0, 0])
})
