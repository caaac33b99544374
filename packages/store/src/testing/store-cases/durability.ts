import assert from 'node:assert/strict'
import { createLearnt } from '@longhaul/engine/advanced'
import type { Store } from '../../port/store.ts'
import { START_AT, assistant, compaction, settings, user } from '../build-entries.ts'
import { createManifests } from '../build-manifests.ts'
import { sharedStoreCase } from '../conformance-case.ts'
import { dumpText } from '../expectations.ts'
import { createTestOwner, startSession, takeSession } from '../session-writer.ts'

export const durabilityCases = [
  sharedStoreCase(
    'ONE-03 all that was stored is there when the store is opened again',
    async ({ store, openAgain }) => {
      await fill(store)
      const before = await dumpText(store)
      const session = await store.sessions.get('s1')
      const found = await store.search.search({ query: 'walrus' })
      await store.close()
      const again = await openAgain()
      assert.deepEqual(await dumpText(again), before)
      assert.deepEqual(await again.sessions.get('s1'), session)
      assert.deepEqual(await again.search.search({ query: 'walrus' }), found)
      assert.equal(await again.artifacts.read('s1', 'a1'), 'content')
      assert.equal(await again.events.add('s1', START_AT, [{ n: 2 }]), 2)
      assert.deepEqual(await again.check(), [])
    },
  ),

  sharedStoreCase('ONE-03 whatever was acknowledged is seen by another store at once', async ({ store, openAgain }) => {
    const again = await openAgain()
    await fill(store)
    assert.deepEqual(await dumpText(again), await dumpText(store))
    assert.equal((await again.search.search({ query: 'walrus' })).length, 1)
    assert.deepEqual(await again.sessions.get('s1'), await store.sessions.get('s1'))
  }),

  sharedStoreCase(
    'leases and work outlive the store they were taken through',
    async ({ store, openAgain, passTime }) => {
      const writer = await startSession(store, 's1', user('hello'))
      await store.leases.setWork(writer.lease, { kind: 'compaction' })
      await store.close()
      const again = await openAgain()
      assert.ok(!(await again.leases.acquire('s1', createTestOwner('second'))).ok)
      await passTime(again.leases.ttlMs + 1)
      const acquired = await again.leases.acquire('s1', createTestOwner('second'))
      assert.ok(acquired.ok)
      assert.deepEqual(acquired.abandoned, { kind: 'compaction' })
      assert.ok(acquired.lease.token > writer.lease.token)
    },
  ),

  sharedStoreCase('a session goes on where it was left', async ({ store, openAgain }) => {
    const before = await startSession(store, 's1', user('one'), assistant('two'))
    await before.write([compaction(2)])
    await store.leases.release(before.lease)
    await store.close()
    const again = await openAgain()
    const after = await takeSession(again, 's1', 'second')
    assert.deepEqual(after.getHead(), before.getHead())
    await after.write([user('three')])
    assert.deepEqual(
      (await again.entries.read('s1', {})).map(({ seq }) => seq),
      [1, 2, 3, 4],
    )
  }),
]

async function fill(store: Store): Promise<void> {
  const writer = await startSession(store, 's1', settings({ title: 'Arctic' }), user('a walrus'))
  await store.inbox.put({ sessionId: 's1', id: 'i1', at: START_AT, kind: 'message', payload: { text: 'hi' } })
  await store.inbox.put({ sessionId: 's1', id: 'i2', at: START_AT, kind: 'message', payload: { text: 'ho' } })
  await writer.write([user('hi', 'i1'), assistant('hello'), compaction(3)], { settles: ['i1'] })
  await store.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'content' })
  for (const { stored } of createManifests(2)) await store.requests.add('s1', stored)
  await store.events.add('s1', START_AT, [{ n: 1 }])
  await store.learned.setCalibration('gpt-x', 'classes', createLearnt())
  await store.learned.setTool('files_read', { digest: 'd', description: 'reads', inputSchema: '{}' })
  await store.memory.append({ name: 'MEMORY.md', updatedAt: START_AT, text: 'Likes tea.' }, [
    { kind: 'fact', line: 1, text: 'Likes tea.' },
  ])
}
