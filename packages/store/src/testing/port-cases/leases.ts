import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createOwner } from '../../owner/owner.ts'
import { foldHead } from '../../records/describe-session.ts'
import type { Owner } from '../../port/leases.ts'
import { START_AT, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectCode, expectRefusal } from '../expectations.ts'
import { createSession, createTestOwner, startSession, takeLease, takeSession } from '../session-writer.ts'

export const leaseCases = [
  storeCase('one owner at a time, and others are told who it is', async ({ store }) => {
    await createSession(store, 's1')
    const owner: Owner = { ...createTestOwner('first'), address: 'http://10.0.0.7:4040' }
    assert.equal(await store.leases.getOwner('s1'), null)
    const acquired = await store.leases.acquire('s1', owner)
    assert.ok(acquired.ok)
    assert.deepEqual([acquired.lease.sessionId, acquired.lease.ownerId, acquired.abandoned], ['s1', 'first', null])
    const refused = await store.leases.acquire('s1', createTestOwner('second'))
    assert.ok(!refused.ok)
    assert.deepEqual(refused.owner, owner)
    assert.ok(refused.expiresInMs > 0 && refused.expiresInMs <= store.leases.ttlMs)
    assert.deepEqual(await store.leases.getOwner('s1'), owner)
  }),

  storeCase('an owner without an address is told without one', async ({ store }) => {
    await createSession(store, 's1')
    await takeLease(store, 's1', 'first')
    assert.deepEqual(await store.leases.getOwner('s1'), createTestOwner('first'))
  }),

  storeCase('several beats fit into the time after which a lease runs out', async ({ store }) => {
    assert.ok(store.leases.ttlMs <= 5_000)
    assert.ok(store.leases.beatMs * 2 < store.leases.ttlMs)
    assert.ok(store.leases.beatMs > 0)
  }),

  storeCase('an owner that asks for what it has gets the same lease', async ({ store, passTime }) => {
    await createSession(store, 's1')
    const lease = await takeLease(store, 's1', 'first')
    await store.leases.setWork(lease, { kind: 'compaction' })
    assert.deepEqual(await store.leases.acquire('s1', createTestOwner('first')), { ok: true, lease, abandoned: null })
    await passTime(store.leases.ttlMs + 1)
    assert.deepEqual(await store.leases.acquire('s1', createTestOwner('first')), { ok: true, lease, abandoned: null })
    const refused = await store.leases.acquire('s1', createTestOwner('second'))
    assert.ok(!refused.ok, 'Asking again is a beat too.')
  }),

  storeCase('a lease is taken over after its time without a beat, not before', async ({ store, passTime }) => {
    await createSession(store, 's1')
    const first = await takeLease(store, 's1', 'first')
    await passTime(store.leases.ttlMs / 2)
    const refused = await store.leases.acquire('s1', createTestOwner('second'))
    assert.ok(!refused.ok)
    await passTime(store.leases.ttlMs / 2 + 1)
    assert.equal(await store.leases.getOwner('s1'), null)
    const second = await takeLease(store, 's1', 'second')
    assert.ok(second.token > first.token)
    assert.equal((await store.leases.getOwner('s1'))?.id, 'second')
  }),

  storeCase('beats keep a lease', async ({ store, passTime }) => {
    for (const id of ['s1', 's2']) await createSession(store, id)
    const leases = [await takeLease(store, 's1', 'first'), await takeLease(store, 's2', 'first')]
    for (let beat = 0; beat < 3; beat += 1) {
      await passTime(store.leases.ttlMs / 2)
      assert.deepEqual(await store.leases.renew(leases), [])
    }
    for (const id of ['s1', 's2']) assert.ok(!(await store.leases.acquire(id, createTestOwner('second'))).ok)
    assert.deepEqual(await store.leases.renew([]), [])
  }),

  storeCase('a beat tells which leases are lost', async ({ store, passTime }) => {
    for (const id of ['kept', 'taken', 'given', 'purged', 'late']) await createSession(store, id)
    const take = (id: string) => takeLease(store, id, 'first')
    const [kept, taken, given, purged, late] = [
      await take('kept'),
      await take('taken'),
      await take('given'),
      await take('purged'),
      await take('late'),
    ]
    await passTime(store.leases.ttlMs + 1)
    await takeLease(store, 'taken', 'second')
    await store.leases.release(given)
    await store.sessions.purge('purged')
    assert.deepEqual(
      (await store.leases.renew([kept, taken, given, purged, late])).map(({ sessionId }) => sessionId).toSorted(),
      ['given', 'purged', 'taken'],
    )
    assert.equal((await store.leases.getOwner('late'))?.id, 'first')
    const forged = Array.from({ length: 300 }, (_, index) => ({ ...kept, token: kept.token + index + 100 }))
    assert.equal((await store.leases.renew([...forged, kept])).length, 300)
  }),

  storeCase('a lease that has run out is good until somebody takes the session', async ({ store, passTime }) => {
    const writer = await startSession(store, 's1')
    await passTime(store.leases.ttlMs + 1)
    await writer.write([user('slow, but nobody else was there')])
    assert.equal((await store.entries.read('s1', {})).length, 1)
  }),

  storeCase('the append of a late owner is refused', async ({ store, passTime }) => {
    const late = await startSession(store, 's1', user('one'))
    await passTime(store.leases.ttlMs + 1)
    const current = await takeSession(store, 's1', 'second')
    await expectRefusal(store, 'lease-lost', () => store.entries.append(late.plan(user('too late'))))
    await current.write([user('in time')])
    await expectRefusal(store, 'lease-lost', () => store.entries.append(late.plan(user('still too late'))))
    await expectRefusal(store, 'lease-lost', () => store.leases.setWork(late.lease, { kind: 'compaction' }))
  }),

  storeCase('the release of a late owner takes nothing from the new one', async ({ store, passTime }) => {
    const late = await startSession(store, 's1', user('one'))
    await passTime(store.leases.ttlMs + 1)
    const current = await takeSession(store, 's1', 'second')
    await store.leases.release(late.lease)
    assert.equal((await store.leases.getOwner('s1'))?.id, 'second')
    await current.write([user('in time')])
  }),

  storeCase('a lease given back is free at once and good for nothing', async ({ store }) => {
    const first = await startSession(store, 's1', user('one'))
    await store.leases.release(first.lease)
    await store.leases.release(first.lease)
    assert.equal(await store.leases.getOwner('s1'), null)
    await expectRefusal(store, 'lease-lost', () => store.entries.append(first.plan(user('afterwards'))))
    await expectCode('lease-lost', () => store.leases.setWork(first.lease, null))
    const second = await takeLease(store, 's1', 'second')
    assert.ok(second.token > first.lease.token)
    await store.leases.release(second)
    const third = await takeLease(store, 's1', 'owner')
    assert.ok(third.token > second.token)
    await expectRefusal(store, 'lease-lost', () => store.entries.append(first.plan(user('by the same owner, before'))))
  }),

  storeCase('a lease is for one session', async ({ store }) => {
    const writer = await startSession(store, 's1')
    await createSession(store, 's2')
    const plan = writer.plan(user('elsewhere'))
    const forged = { ...plan, lease: { ...plan.lease, sessionId: 's2' } }
    await expectRefusal(store, 'lease-lost', () => store.entries.append(forged))
    const stolen = { ...plan, lease: { ...plan.lease, ownerId: 'somebody else' } }
    await expectRefusal(store, 'lease-lost', () => store.entries.append(stolen))
  }),

  storeCase(
    'work that an owner left behind is told to those after it until it is settled',
    async ({ store, passTime }) => {
      await createSession(store, 's1')
      const work = { kind: 'compaction', from: 3, ['__proto__']: 'x' }
      await store.leases.setWork(await takeLease(store, 's1', 'first'), work)
      for (const id of ['second', 'third']) {
        await passTime(store.leases.ttlMs + 1)
        const acquired = await store.leases.acquire('s1', createTestOwner(id))
        assert.ok(acquired.ok)
        assert.deepEqual(acquired.abandoned, work)
        if (id === 'third') await store.leases.setWork(acquired.lease, null)
      }
      await passTime(store.leases.ttlMs + 1)
      const acquired = await store.leases.acquire('s1', createTestOwner('fourth'))
      assert.ok(acquired.ok)
      assert.equal(acquired.abandoned, null)
    },
  ),

  storeCase('work is over when the lease is given back', async ({ store }) => {
    await createSession(store, 's1')
    const lease = await takeLease(store, 's1', 'first')
    await store.leases.setWork(lease, { kind: 'flush' })
    await store.leases.release(lease)
    const acquired = await store.leases.acquire('s1', createTestOwner('second'))
    assert.ok(acquired.ok)
    assert.equal(acquired.abandoned, null)
  }),

  storeCase(
    'work that is left when the lease is given back is told to the next owner, the same one too',
    async ({ store }) => {
      await createSession(store, 's1')
      const work = { asked: ['c1'] }
      const first = await takeLease(store, 's1', 'first')
      await store.leases.release(first, work)
      assert.equal(await store.leases.getOwner('s1'), null)
      // A beat that was under way must not take the session back.
      assert.deepEqual(await store.leases.renew([first]), [first])
      await expectCode('lease-lost', () => store.leases.setWork(first, null))
      for (const id of ['first', 'second']) {
        const acquired = await store.leases.acquire('s1', createTestOwner(id))
        assert.ok(acquired.ok)
        assert.ok(acquired.lease.token > first.token)
        assert.deepEqual(acquired.abandoned, work)
        await store.leases.release(acquired.lease, acquired.abandoned)
      }
      const last = await store.leases.acquire('s1', createTestOwner('third'))
      assert.ok(last.ok)
      await store.leases.setWork(last.lease, null)
      await store.leases.release(last.lease)
      const after = await store.leases.acquire('s1', createTestOwner('fourth'))
      assert.ok(after.ok)
      assert.equal(after.abandoned, null)
    },
  ),

  storeCase('an owner that died on this host is replaced at once', async ({ store }) => {
    await createSession(store, 's1')
    const { pid } = spawnSync(process.execPath, ['--version'])
    const dead: Owner = { ...createOwner(), id: 'dead', pid, startedAt: '1' }
    const first = await store.leases.acquire('s1', dead)
    assert.ok(first.ok)
    await store.leases.setWork(first.lease, { kind: 'compaction' })
    const second = await store.leases.acquire('s1', createOwner())
    assert.ok(second.ok)
    assert.ok(second.lease.token > first.lease.token)
    assert.deepEqual(second.abandoned, { kind: 'compaction' })
    await expectCode('lease-lost', () => store.leases.setWork(first.lease, null))
  }),

  storeCase('an owner that lives on this host is not replaced', async ({ store }) => {
    await createSession(store, 's1')
    assert.ok((await store.leases.acquire('s1', createOwner())).ok)
    assert.ok(!(await store.leases.acquire('s1', createOwner())).ok)
  }),

  storeCase('a session that is not there has no owner', async ({ store }) => {
    await expectRefusal(store, 'not-found', () => store.leases.acquire('nobody', createTestOwner('first')))
    assert.equal(await store.leases.getOwner('nobody'), null)
    await store.leases.release({ sessionId: 'nobody', token: 1, ownerId: 'first' })
  }),

  storeCase('an owner loses the lease of a purged session, also when the id is used again', async ({ store }) => {
    const late = await startSession(store, 's1', user('one'))
    await store.sessions.purge('s1')
    assert.equal(await store.leases.getOwner('s1'), null)
    await expectRefusal(store, 'lease-lost', () => store.entries.append(late.plan(user('two'))))
    await store.sessions.create({ id: 's1', createdAt: START_AT })
    await expectRefusal(store, 'lease-lost', () =>
      store.entries.append({ ...late.plan(), entries: [], head: late.getHead() }),
    )
    for (const owner of ['second', 'owner']) {
      const lease = await takeLease(store, 's1', owner)
      assert.ok(lease.token > late.lease.token)
      await expectRefusal(store, 'lease-lost', () => store.entries.append({ ...late.plan(), head: foldHead([]) }))
      assert.deepEqual(await store.leases.renew([late.lease]), [late.lease])
      await store.leases.release(lease)
    }
  }),
]
