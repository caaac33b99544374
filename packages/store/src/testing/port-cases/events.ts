import assert from 'node:assert/strict'
import { START_AT } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectCode, expectRefusal } from '../expectations.ts'
import { createSession, startSession, takeLease } from '../session-writer.ts'

export const eventCases = [
  storeCase('events are numbered by one within a session', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    assert.equal(await store.events.getLastId('s1'), 0)
    assert.equal(await store.events.add('s1', START_AT, [{ type: 'turn-start' }, { type: 'delta', text: 'Hel' }]), 2)
    assert.equal(await store.events.add('s2', START_AT, [{ type: 'turn-start' }]), 1)
    assert.equal(await store.events.add('s1', START_AT + 5, [{ type: 'delta', text: 'lo' }]), 3)
    assert.equal(await store.events.add('s1', START_AT + 5, []), 3)
    assert.equal(await store.events.getLastId('s1'), 3)
    assert.deepEqual(await store.events.read('s1', 0, 10), [
      { id: 1, at: START_AT, event: { type: 'turn-start' } },
      { id: 2, at: START_AT, event: { type: 'delta', text: 'Hel' } },
      { id: 3, at: START_AT + 5, event: { type: 'delta', text: 'lo' } },
    ])
  }),

  storeCase('a client goes on after the last event it saw', async ({ store }) => {
    await createSession(store, 's1')
    await store.events.add(
      's1',
      START_AT,
      Array.from({ length: 1_010 }, (_, index) => ({ index })),
    )
    const ids = async (after: number, limit: number) =>
      (await store.events.read('s1', after, limit)).map(({ id }) => id)
    assert.deepEqual(await ids(0, 2), [1, 2])
    assert.deepEqual(await ids(1_007, 2), [1_008, 1_009])
    assert.deepEqual(await ids(1_009, 100), [1_010])
    assert.deepEqual(await ids(1_010, 100), [])
    assert.deepEqual(await ids(5_000, 100), [])
    assert.deepEqual(await ids(0, -1), [1])
    assert.equal((await ids(0, 1e9)).length, 1_000)
  }),

  storeCase('ids go on after older events were deleted', async ({ store }) => {
    await createSession(store, 's1')
    await store.events.add('s1', START_AT, [{ n: 1 }, { n: 2 }])
    await store.events.add('s1', START_AT + 10, [{ n: 3 }])
    assert.equal(await store.events.deleteBefore(START_AT + 10), 2)
    assert.deepEqual(
      (await store.events.read('s1', 0, 10)).map(({ id }) => id),
      [3],
    )
    assert.equal(await store.events.deleteBefore(START_AT + 11), 1)
    assert.equal(await store.events.getLastId('s1'), 3)
    assert.equal(await store.events.add('s1', START_AT + 20, [{ n: 4 }]), 4)
    assert.deepEqual(await store.events.read('s1', 0, 10), [{ id: 4, at: START_AT + 20, event: { n: 4 } }])
  }),

  storeCase('a session that is not there has no events', async ({ store }) => {
    await expectRefusal(store, 'not-found', () => store.events.add('nobody', START_AT, [{ n: 1 }]))
    assert.deepEqual(await store.events.read('nobody', 0, 10), [])
    assert.equal(await store.events.getLastId('nobody'), 0)
  }),

  storeCase('a late owner is not heard', async ({ store, passTime }) => {
    const { lease: late } = await startSession(store, 's1')
    assert.equal(await store.events.add('s1', START_AT, [{ n: 1 }], late), 1)
    await passTime(store.leases.ttlMs + 1)
    assert.equal(await store.events.add('s1', START_AT, [{ n: 2 }], late), 2)
    const lease = await takeLease(store, 's1', 'next')
    const refused = [late, { ...lease, ownerId: 'somebody else' }, { ...lease, token: lease.token + 1 }]
    for (const each of refused) {
      await expectCode('lease-lost', () => store.events.add('s1', START_AT, [{ n: 3 }], each))
      await expectCode('lease-lost', () => store.events.add('s1', START_AT, [], each))
    }
    assert.equal(await store.events.getLastId('s1'), 2)
    assert.equal(await store.events.add('s1', START_AT, [{ n: 3 }], lease), 3)
    assert.equal(await store.events.add('s1', START_AT, [{ n: 4 }]), 4)
    await store.leases.release(lease)
    await expectCode('lease-lost', () => store.events.add('s1', START_AT, [{ n: 5 }], lease))
    assert.deepEqual(
      (await store.events.read('s1', 0, 10)).map(({ event }) => event),
      [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }],
    )
  }),
]
