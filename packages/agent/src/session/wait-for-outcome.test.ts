import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { describe, expect, it } from 'vitest'
import { waitForOutcome } from './wait-for-outcome.ts'

async function open(): Promise<{ readonly store: Store; readonly watchers: () => number }> {
  const inner = createInMemoryStore()
  await inner.sessions.create({ id: 's', createdAt: 1 })
  let watchers = 0
  const watch: Store['watch'] = (listener) => {
    watchers += 1
    const stop = inner.watch(listener)
    return () => {
      watchers -= 1
      stop()
    }
  }
  return { store: { ...inner, watch }, watchers: () => watchers }
}

const outcome = { ok: true, result: { id: 'c' } } as const
const settled = (id: string) => ({ turnId: null, type: 'request-settled', id, outcome })

describe('waiting for an outcome', () => {
  it('finds the one it waits for, also behind a thousand other events that were there before', async () => {
    const { store, watchers } = await open()
    const noise = Array.from({ length: 1_200 }, (_, index) => ({
      turnId: null,
      type: 'text-delta',
      text: String(index),
    }))
    await store.events.add('s', 1, [...noise, settled('other'), settled('mine')])
    const { signal } = new AbortController()
    expect(await waitForOutcome(store, { sessionId: 's', id: 'mine', afterEvent: 0, signal })).toEqual(outcome)
    expect(watchers()).toBe(0)
  })

  it('waits for one that comes later', async () => {
    const { store } = await open()
    const { signal } = new AbortController()
    const waiting = waitForOutcome(store, { sessionId: 's', id: 'mine', afterEvent: 0, signal })
    await store.events.add('s', 1, [settled('other')])
    await store.events.add('s', 1, [settled('mine')])
    expect(await waiting).toEqual(outcome)
  })

  it('says so where the outcome was told too long ago, or was lost', async () => {
    const { store, watchers } = await open()
    await store.inbox.put({ sessionId: 's', id: 'mine', at: 1, kind: 'compact', payload: {} })
    const acquired = await store.leases.acquire('s', { id: 'test', host: 'test', pid: 1, startedAt: '' })
    if (acquired.ok) await store.inbox.settle(acquired.lease, ['mine'])
    const { signal } = new AbortController()
    const waiting = waitForOutcome(store, { sessionId: 's', id: 'mine', afterEvent: 0, signal, lostAfterMs: 0 })
    expect(await waiting).toMatchObject({ ok: false, message: expect.stringContaining('no longer known') })
    expect(watchers()).toBe(0)
  })

  it.each(['hidden', 'erased'])('a session that was %s meanwhile kept its asker waiting: it is told', async (how) => {
    const { store, watchers } = await open()
    await store.inbox.put({ sessionId: 's', id: 'mine', at: 1, kind: 'compact', payload: {} })
    const { signal } = new AbortController()
    const waiting = waitForOutcome(store, { sessionId: 's', id: 'mine', afterEvent: 0, signal })
    await (how === 'hidden' ? store.sessions.setDeleted('s', 1) : store.sessions.purge('s'))
    await expect(waiting).rejects.toMatchObject({ code: 'not-found' })
    expect(watchers()).toBe(0)
  })

  it('leaves when it is told to, and leaves nothing behind', async () => {
    const { store, watchers } = await open()
    const abort = new AbortController()
    const waiting = waitForOutcome(store, { sessionId: 's', id: 'mine', afterEvent: 0, signal: abort.signal })
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'busy' })
    expect(watchers()).toBe(0)
  })
})
