import assert from 'node:assert/strict'
import type { Store } from '../../port/store.ts'
import { START_AT, assistant, compaction, settings, toolResult, user } from '../build-entries.ts'
import { createManifests } from '../build-manifests.ts'
import { storeCase } from '../conformance-case.ts'
import { dumpText } from '../expectations.ts'
import { createSession, startSession } from '../session-writer.ts'

const SECRET = 'xyzzyplugh'

export const purgeCases = [
  storeCase('a purged session leaves nothing behind', async ({ store }) => {
    await createSession(store, 'other', user('somebody else'))
    const before = await dumpText(store)
    await fillSession(store, 's1')
    assert.match((await dumpText(store)).join('\n'), new RegExp(SECRET))
    await store.sessions.purge('s1')
    assert.deepEqual(await dumpText(store), before)
    assert.equal(await store.sessions.get('s1'), null)
    assert.deepEqual(await store.entries.read('s1', {}), [])
    assert.equal(await store.entries.find('s1', 'e1'), null)
    assert.deepEqual(await store.inbox.list('s1'), [])
    assert.deepEqual(await store.inbox.listUnowned(100), [])
    assert.equal(await store.requests.getLast('s1'), null)
    assert.deepEqual(await store.events.read('s1', 0, 100), [])
    assert.deepEqual(await store.artifacts.list('s1'), [])
    assert.equal(await store.artifacts.read('s1', 'a1'), null)
    assert.deepEqual(await store.search.search({ query: SECRET }), [])
    assert.deepEqual(await store.search.search({ query: SECRET, sessionId: 's1' }), [])
    assert.equal(await store.search.rebuild(), 1)
    for (const deleted of [true, false]) {
      assert.ok(!(await store.sessions.list({ deleted })).items.some(({ id }) => id === 's1'))
      assert.deepEqual((await store.sessions.list({ deleted, query: SECRET })).items, [])
    }
    assert.deepEqual(await store.check(), [])
  }),

  storeCase('a hidden session is purged as well', async ({ store }) => {
    await fillSession(store, 's1')
    await store.sessions.setDeleted('s1', START_AT)
    await store.sessions.purge('s1')
    assert.deepEqual(await dumpText(store), [])
    await store.sessions.purge('s1')
  }),

  storeCase('the id of a purged session is free, and what comes then starts anew', async ({ store }) => {
    await fillSession(store, 's1')
    await store.sessions.purge('s1')
    await createSession(store, 's1', user('a new start'))
    assert.equal((await store.entries.read('s1', {})).length, 1)
    assert.deepEqual(await store.inbox.list('s1'), [])
    assert.equal(await store.requests.getLast('s1'), null)
    assert.deepEqual(await store.artifacts.list('s1'), [])
    assert.equal((await store.inbox.put(message('s1', 'i1', 'new words'))).status, 'new')
    assert.deepEqual(await store.search.search({ query: SECRET }), [])
  }),

  storeCase('other sessions keep the artifacts they share with a purged one', async ({ store }) => {
    const content = `shared ${SECRET}`
    for (const id of ['s1', 's2']) {
      await createSession(store, id, user(`hello from ${id}`))
      await store.artifacts.put({ sessionId: id, id: 'a1', at: START_AT, content })
    }
    await store.sessions.purge('s1')
    assert.equal(await store.artifacts.read('s2', 'a1'), content)
    assert.equal(await store.artifacts.read('s1', 'a1'), null)
    await store.sessions.purge('s2')
    assert.deepEqual(await dumpText(store), [])
    assert.deepEqual(await store.check(), [])
  }),
]

/** Something in every place that a session writes to. */
async function fillSession(store: Store, id: string): Promise<void> {
  const writer = await startSession(store, id, settings({ title: SECRET }), user(SECRET), assistant(`${SECRET}!`))
  await store.inbox.put(message(id, 'i1', SECRET))
  await store.inbox.put(message(id, 'i2', SECRET))
  await writer.write([user(SECRET, 'i1'), toolResult(SECRET), compaction(3, SECRET)], { settles: ['i1'] })
  for (const { stored } of createManifests(3)) await store.requests.add(id, { ...stored, bytesHash: SECRET })
  await store.requests.settle(id, 1, { error: SECRET })
  await store.events.add(id, START_AT, [{ type: 'delta', text: SECRET }])
  await store.artifacts.put({ sessionId: id, id: 'a1', at: START_AT, content: `${SECRET} of ${id}` })
  await store.leases.setWork(writer.lease, { kind: 'compaction', text: SECRET })
}

function message(sessionId: string, id: string, text: string) {
  return { sessionId, id, at: START_AT, kind: 'message', payload: { text } } as const
}
