import assert from 'node:assert/strict'
import { createLearnt } from '@longhaul/engine/advanced'
import { foldHead } from '../../records/describe-session.ts'
import type { Store } from '../../port/store.ts'
import { START_AT, assistant, settings, user } from '../build-entries.ts'
import { createManifests } from '../build-manifests.ts'
import { storeCase } from '../conformance-case.ts'
import { expectCode, expectRefusal } from '../expectations.ts'
import { createSession, createTestOwner, startSession } from '../session-writer.ts'

export const upkeepCases = [
  storeCase('a sound store has no problems', async ({ store }) => {
    assert.deepEqual(await store.check(), [])
    const writer = await startSession(store, 's1', user('hello'))
    await writer.write([assistant('hello')])
    await store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'content' })
    assert.deepEqual(await store.check(), [])
    await assert.rejects(store.check(AbortSignal.abort()))
  }),

  storeCase('a probe of a store that takes writes leaves nothing behind', async ({ store }) => {
    await startSession(store, 's1', user('hello'))
    const document = { name: 'MEMORY.md', updatedAt: START_AT, text: 'x' }
    await store.memory.put(document, [{ kind: 'note', line: 1, text: 'x' }])
    const before = await Array.fromAsync(store.dump())
    await Promise.all([store.probe(), store.probe()])
    await store.probe()
    assert.deepEqual(await Array.fromAsync(store.dump()), before)
    assert.deepEqual(await store.memory.searchNear({ model: 'probe', vector: [0, 0] }), [])
    assert.deepEqual(await store.check(), [])
  }),

  storeCase('a head gone wrong is put right from the entries', async ({ store }) => {
    const writer = await startSession(store, 's1', settings({ title: 'Right' }), user('hello'))
    const append = writer.plan(assistant('hello', { input: 10, output: 5 }))
    const wrong = {
      ...append.head,
      settings: { title: 'Wrong' },
      totals: { messages: 99, inputTokens: 1, outputTokens: 2, costUsd: 3, unpricedCalls: 4 },
    }
    await store.entries.append({ ...append, head: wrong })
    assert.equal((await store.sessions.get('s1'))?.head.totals.messages, 99)
    await store.repairHead('s1')
    const repaired = await store.sessions.get('s1')
    assert.deepEqual(repaired?.head, foldHead(await store.entries.read('s1', {})))
    assert.deepEqual([repaired?.title, repaired?.preview, repaired?.updatedAt], ['Right', 'hello', START_AT + 3_000])
    await store.repairHead('s1')
    assert.deepEqual(await store.sessions.get('s1'), repaired)
    await expectRefusal(store, 'not-found', () => store.repairHead('nobody'))
  }),

  storeCase('a closed store refuses everything, and closing it again is no error', async ({ store }) => {
    const writer = await startSession(store, 's1', user('hello'))
    const append = writer.plan(user('late'))
    await store.close()
    await store.close()
    for (const call of listCalls(store, append)) await expectCode('closed', call)
  }),

  storeCase('every store says what kind it is', async ({ store }) => {
    assert.match(store.kind, /^[a-z]+$/)
  }),

  storeCase('calls under way when a store is closed end one way or the other', async ({ store }) => {
    await createSession(store, 's1')
    const puts = Array.from({ length: 10 }, (_, index) =>
      store.inbox.put({ sessionId: 's1', id: `i${index}`, at: START_AT, kind: 'message', payload: {} }),
    )
    const [closed, ...outcomes] = await Promise.allSettled([store.close(), ...puts])
    assert.equal(closed.status, 'fulfilled')
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') await expectCode('closed', () => Promise.reject(outcome.reason as Error))
    }
  }),
]

function listCalls(
  store: Store,
  append: Parameters<Store['entries']['append']>[0],
): readonly (() => Promise<unknown>)[] {
  const [request] = createManifests(1)
  const document = { name: 'MEMORY.md', updatedAt: START_AT, text: 'x' }
  return [
    () => store.sessions.create({ id: 's2', createdAt: START_AT }),
    () => store.sessions.get('s1'),
    () => store.sessions.list({}),
    () => store.sessions.setDeleted('s1', START_AT),
    () => store.sessions.purge('s1'),
    () => store.entries.append(append),
    () => store.entries.read('s1', {}),
    () => store.entries.readAt('s1', [1]),
    () => store.entries.find('s1', 'e1'),
    () => store.inbox.put({ sessionId: 's1', id: 'i1', at: START_AT, kind: 'message', payload: {} }),
    () => store.inbox.list('s1'),
    () => store.inbox.listUnowned(1),
    () => store.inbox.settle(append.lease, ['i1']),
    () => store.inbox.deleteSettledBefore(START_AT),
    () => store.leases.acquire('s1', createTestOwner('late')),
    () => store.leases.renew([append.lease]),
    () => store.leases.release(append.lease),
    () => store.leases.setWork(append.lease, null),
    () => store.leases.getOwner('s1'),
    () => store.requests.add('s1', request?.stored ?? assert.fail()),
    () => store.requests.settle('s1', 1, {}),
    () => store.requests.get('s1', 1),
    () => store.requests.getLast('s1'),
    () => store.requests.list('s1', {}),
    () => store.requests.deleteBefore(START_AT),
    () => store.events.add('s1', START_AT, [{}]),
    () => store.events.read('s1', 0, 1),
    () => store.events.getLastId('s1'),
    () => store.events.deleteBefore(START_AT),
    () => store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'x' }),
    () => store.artifacts.read('s1', 'x'),
    () => store.artifacts.list('s1'),
    () => store.artifacts.deleteBefore(START_AT),
    () => store.learned.get('m'),
    () => store.learned.setCalibration('m', 'e', createLearnt()),
    () => store.learned.setWindow('m', null),
    () => store.learned.list(),
    () => store.learned.getTool('t'),
    () => store.learned.setTool('t', { digest: 'd', description: '', inputSchema: '' }),
    () => store.memory.put(document, []),
    () => store.memory.append(document, []),
    () => store.memory.get('MEMORY.md'),
    () => store.memory.list(),
    () => store.memory.delete('MEMORY.md'),
    () => store.memory.search({ query: 'x' }),
    () => store.search.search({ query: 'x' }),
    () => store.search.rebuild(),
    () => store.dump()[Symbol.asyncIterator]().next(),
    () => store.load(noRecords()),
    () => store.check(),
    () => store.probe(),
    () => store.repairHead('s1'),
  ]
}

async function* noRecords(): AsyncGenerator<never> {}
