import assert from 'node:assert/strict'
import { START_AT, user } from '../build-entries.ts'
import { sharedStoreCase, storeCase } from '../conformance-case.ts'
import { createSession, startSession } from '../session-writer.ts'
import { watchChanges } from '../watch-changes.ts'

export const watchCases = [
  storeCase('whoever watches hears of entries, inbox items and events', async ({ store }) => {
    const writer = await startSession(store, 's1')
    await createSession(store, 's2')
    const watched = watchChanges(store)
    await writer.write([user('hello')])
    await watched.hears('s1', 'entries')
    await store.inbox.put({ sessionId: 's2', id: 'i1', at: START_AT, kind: 'cancel', payload: {} })
    await watched.hears('s2', 'inbox')
    await store.events.add('s1', START_AT, [{ type: 'delta' }])
    await watched.hears('s1', 'events')
    watched.stop()
  }),

  storeCase('whoever has stopped hears nothing more, others do', async ({ store }) => {
    await createSession(store, 's1')
    const first = watchChanges(store)
    const second = watchChanges(store)
    first.stop()
    first.stop()
    await store.events.add('s1', START_AT, [{ type: 'delta' }])
    await second.hears('s1', 'events')
    assert.deepEqual(first.getHeard(), [])
    second.stop()
  }),

  storeCase('whoever watches one session hears of it, and not of others', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    const watched = watchChanges(store, 's1')
    await store.events.add('s2', START_AT, [{ type: 'delta' }])
    await store.events.add('s1', START_AT, [{ type: 'delta' }])
    await store.inbox.put({ sessionId: 's1', id: 'i1', at: START_AT, kind: 'cancel', payload: {} })
    assert.ok(watched.getHeard().every(({ sessionId }) => sessionId !== 's2'))
    await watched.hears('s1', 'events')
    await watched.hears('s1', 'inbox')
    watched.stop()
  }),

  storeCase('one function may watch twice and stop each by itself', async ({ store }) => {
    await createSession(store, 's1')
    let calls = 0
    const listener = () => {
      calls += 1
    }
    const stops = [store.watch(listener), store.watch(listener)]
    stops[0]?.()
    const watched = watchChanges(store)
    await store.events.add('s1', START_AT, [{ type: 'delta' }])
    await watched.hears('s1', 'events')
    assert.ok(calls > 0)
    watched.stop()
    stops[1]?.()
  }),
]

export const sharedWatchCases = [
  sharedStoreCase('changes made through another store are heard of', async ({ store, openAgain }) => {
    const writer = await startSession(store, 's1')
    const watched = watchChanges(await openAgain())
    await writer.write([user('hello')])
    await watched.hears('s1', 'entries')
    await store.inbox.put({ sessionId: 's1', id: 'i1', at: START_AT, kind: 'cancel', payload: {} })
    await watched.hears('s1', 'inbox')
    await store.events.add('s1', START_AT, [{ type: 'delta' }])
    await watched.hears('s1', 'events')
    watched.stop()
  }),
]
