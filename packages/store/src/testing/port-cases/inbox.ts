import assert from 'node:assert/strict'
import type { NewInboxItem } from '../../port/inbox.ts'
import { START_AT, assistant, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal } from '../expectations.ts'
import { createSession, startSession, takeLease } from '../session-writer.ts'

const FAR_FUTURE = START_AT * 1_000

function message(id: string, sessionId = 's1', text = `text of ${id}`): NewInboxItem {
  return { sessionId, id, at: START_AT, kind: 'message', payload: { text } }
}

export const inboxCases = [
  storeCase('what is put waits in order of arrival, whatever its time', async ({ store }) => {
    await createSession(store, 's1')
    await store.inbox.put(message('first'))
    await store.inbox.put({ ...message('second'), at: START_AT - 5_000, kind: 'compact', payload: {} })
    await store.inbox.put(message('third'))
    const waiting = await store.inbox.list('s1')
    assert.deepEqual(
      waiting.map(({ position: _position, ...item }) => item),
      [
        message('first'),
        { ...message('second'), at: START_AT - 5_000, kind: 'compact', payload: {} },
        message('third'),
      ],
    )
    const positions = waiting.map(({ position }) => position)
    assert.deepEqual(
      positions,
      [...new Set(positions)].toSorted((a, b) => a - b),
    )
  }),

  storeCase('the same item again changes nothing and says so', async ({ store }) => {
    await createSession(store, 's1')
    const first = await store.inbox.put(message('i1'))
    assert.equal(first.status, 'new')
    const again = await store.inbox.put({ ...message('i1'), at: START_AT + 99 })
    assert.deepEqual(again, { item: first.item, status: 'waiting' })
    assert.deepEqual(await store.inbox.list('s1'), [first.item])
  }),

  storeCase('an item that was settled is still known by its id', async ({ store }) => {
    const writer = await startSession(store, 's1')
    const { item } = await store.inbox.put(message('i1'))
    await writer.write([user('text of i1', 'i1')], { settles: ['i1'] })
    assert.deepEqual(await store.inbox.put(message('i1')), { item, status: 'settled' })
    assert.deepEqual(await store.inbox.list('s1'), [])
    await expectRefusal(store, 'id-conflict', () => store.inbox.put(message('i1', 's1', 'other words')))
  }),

  storeCase('an id with another payload or kind is refused', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    await store.inbox.put(message('i1'))
    await expectRefusal(store, 'id-conflict', () => store.inbox.put(message('i1', 's1', 'other words')))
    await expectRefusal(store, 'id-conflict', () => store.inbox.put({ ...message('i1'), kind: 'pin' }))
    assert.equal((await store.inbox.put(message('i1', 's2', 'words of another session'))).status, 'new')
  }),

  storeCase('an id that an entry has is refused', async ({ store }) => {
    const writer = await startSession(store, 's1', user('imported', 'old'))
    await expectRefusal(store, 'id-conflict', () => store.inbox.put(message('old')))
    await store.inbox.put(message('i1'))
    await writer.write([user('text of i1', 'i1')], { settles: ['i1'] })
    assert.equal(await store.inbox.deleteSettledBefore(FAR_FUTURE), 1)
    await expectRefusal(store, 'id-conflict', () => store.inbox.put(message('i1')))
  }),

  storeCase('what cannot be an item is refused', async ({ store }) => {
    await createSession(store, 's1')
    for (const id of ['', 'a\u0000b', 'x'.repeat(201), '\ud800']) {
      await expectRefusal(store, 'invalid', () => store.inbox.put(message(id)))
    }
  }),

  storeCase('a session that is not there or hidden takes no messages', async ({ store }) => {
    await createSession(store, 's1')
    await store.inbox.put(message('before'))
    await store.sessions.setDeleted('s1', START_AT)
    await expectRefusal(store, 'not-found', () => store.inbox.put(message('i1')))
    await expectRefusal(store, 'not-found', () => store.inbox.put(message('i1', 'nobody')))
    assert.equal((await store.inbox.list('s1')).length, 1)
    await store.sessions.setDeleted('s1', null)
    assert.equal((await store.inbox.put(message('i1'))).status, 'new')
  }),

  storeCase('an append settles what it answers, in the same step', async ({ store }) => {
    const writer = await startSession(store, 's1')
    for (const id of ['i1', 'i2', 'i3']) await store.inbox.put(message(id))
    await createSession(store, 's2')
    await store.inbox.put(message('i1', 's2'))
    const bad = { ...writer.plan(user('out of order', 'i1')), settles: ['i1'], epoch: 99 }
    await expectRefusal(store, 'epoch-passed', () => store.entries.append(bad))
    assert.equal((await store.inbox.list('s1')).length, 3)
    await writer.write([user('text of i1', 'i1'), user('text of i3', 'i3')], { settles: ['i1', 'i3', 'unheard of'] })
    assert.deepEqual(
      (await store.inbox.list('s1')).map(({ id }) => id),
      ['i2'],
    )
    assert.equal((await store.inbox.list('s2')).length, 1)
  }),

  storeCase('items are settled without an append too', async ({ store }) => {
    const { lease } = await startSession(store, 's1')
    await createSession(store, 's2')
    await store.inbox.put(message('i1'))
    await store.inbox.put(message('i1', 's2'))
    const unheardOf = Array.from({ length: 2_000 }, (_, index) => `unheard of ${index}`)
    await store.inbox.settle(lease, ['i1', '\u0000', ...unheardOf])
    await store.inbox.settle(lease, ['i1'])
    await store.inbox.settle(lease, [])
    assert.deepEqual(await store.inbox.list('s1'), [])
    assert.equal((await store.inbox.list('s2')).length, 1)
    assert.equal((await store.inbox.put(message('i1'))).status, 'settled')
  }),

  storeCase('a late owner settles nothing', async ({ store, passTime }) => {
    const { lease: late } = await startSession(store, 's1')
    await store.inbox.put(message('i1'))
    await passTime(store.leases.ttlMs + 1)
    const refusals = [
      { ...late, ownerId: 'somebody else' },
      { ...late, token: late.token + 1 },
      { ...late, sessionId: 'nobody' },
    ]
    for (const lease of refusals) await expectRefusal(store, 'lease-lost', () => store.inbox.settle(lease, ['i1']))
    const lease = await takeLease(store, 's1', 'next')
    await expectRefusal(store, 'lease-lost', () => store.inbox.settle(late, ['i1']))
    await expectRefusal(store, 'lease-lost', () => store.inbox.settle(late, []))
    assert.equal((await store.inbox.list('s1')).length, 1)
    await store.leases.release(lease)
    await expectRefusal(store, 'lease-lost', () => store.inbox.settle(lease, ['i1']))
    assert.equal((await store.inbox.put(message('i1'))).status, 'waiting')
  }),

  storeCase('settled items are forgotten in time, waiting ones never', async ({ store }) => {
    const { lease } = await startSession(store, 's1')
    for (const id of ['i1', 'i2']) await store.inbox.put(message(id))
    await store.inbox.settle(lease, ['i1'])
    assert.equal(await store.inbox.deleteSettledBefore(0), 0)
    assert.equal(await store.inbox.deleteSettledBefore(FAR_FUTURE), 1)
    assert.equal(await store.inbox.deleteSettledBefore(FAR_FUTURE), 0)
    assert.deepEqual(
      (await store.inbox.list('s1')).map(({ id }) => id),
      ['i2'],
    )
    const again = await store.inbox.put(message('i1', 's1', 'new words'))
    assert.equal(again.status, 'new')
    assert.deepEqual(
      (await store.inbox.list('s1')).map(({ id }) => id),
      ['i2', 'i1'],
    )
  }),

  storeCase('sessions that wait for an owner are listed, the longest waiting first', async ({ store, passTime }) => {
    for (const id of ['late', 'early', 'quiet', 'owned', 'hidden']) await createSession(store, id, user('hi'))
    await store.inbox.put({ ...message('i', 'late'), at: START_AT + 50 })
    for (const id of ['early', 'owned', 'hidden']) await store.inbox.put(message('i', id))
    await store.inbox.put({ ...message('j', 'early'), at: START_AT + 99 })
    await store.sessions.setDeleted('hidden', START_AT)
    await takeLease(store, 'owned')
    assert.deepEqual(await store.inbox.listUnowned(10), ['early', 'late'])
    assert.deepEqual(await store.inbox.listUnowned(1), ['early'])
    assert.deepEqual(await store.inbox.listUnowned(0), ['early'])
    const lease = await takeLease(store, 'early')
    await store.inbox.settle(lease, ['i', 'j'])
    await store.leases.release(lease)
    assert.deepEqual(await store.inbox.listUnowned(10), ['late'])
    await passTime(store.leases.ttlMs + 1)
    assert.deepEqual((await store.inbox.listUnowned(10)).toSorted(), ['late', 'owned'])
  }),

  storeCase('a released session waits for an owner again', async ({ store }) => {
    const writer = await startSession(store, 's1', user('hi'), assistant('hello'))
    await store.inbox.put(message('i1'))
    assert.deepEqual(await store.inbox.listUnowned(10), [])
    await store.leases.release(writer.lease)
    assert.deepEqual(await store.inbox.listUnowned(10), ['s1'])
  }),
]
