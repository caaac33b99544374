import assert from 'node:assert/strict'
import { foldHead } from '../../records/describe-session.ts'
import type { Store } from '../../port/store.ts'
import { START_AT, assistant, compaction, numberLines, user } from '../build-entries.ts'
import { sharedStoreCase, storeCase } from '../conformance-case.ts'
import { dumpText } from '../expectations.ts'
import { createSession, createTestOwner, startSession, takeSession } from '../session-writer.ts'

function message(id: string, sessionId = 's1') {
  return { sessionId, id, at: START_AT, kind: 'message', payload: { text: id } } as const
}

const names = Array.from({ length: 40 }, (_, index) => `i${index}`)

export const concurrencyCases = [
  storeCase('of many messages sent at once none is lost, none doubled', async ({ store }) => {
    await createSession(store, 's1')
    const stored = await Promise.all([...names, ...names].map((id) => store.inbox.put(message(id))))
    assert.equal(stored.filter(({ status }) => status === 'new').length, names.length)
    await expectAllWaiting(store)
  }),

  storeCase('sessions are written side by side, each in its order', async ({ store }) => {
    const ids = Array.from({ length: 8 }, (_, index) => `s${index}`)
    await Promise.all(
      ids.map(async (id) => {
        const writer = await startSession(store, id, user('begin'))
        for (let step = 0; step < 6; step += 1) {
          await Promise.all([
            writer.write([user(`${id} asks ${step}`), assistant('answer')]),
            store.inbox.put(message(`m${step}`, id)),
            store.events.add(id, START_AT, [{ step }, { step }]),
          ])
        }
      }),
    )
    for (const id of ids) {
      const entries = await store.entries.read(id, {})
      assert.equal(entries.length, 13)
      assert.deepEqual((await store.sessions.get(id))?.head, foldHead(entries))
      assert.equal((await store.inbox.list(id)).length, 6)
      assert.equal(await store.events.getLastId(id), 12)
    }
  }),

  storeCase('of many appends for the same place exactly one is stored', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'))
    const appends = names.map((id) => writer.plan(user(id, id), assistant('answer')))
    const outcomes = await Promise.allSettled(appends.map((append) => store.entries.append(append)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.ok(outcomes.every((outcome) => outcome.status === 'fulfilled' || isCode(outcome.reason, 'out-of-order')))
    const entries = await store.entries.read('s1', {})
    assert.equal(entries.length, 3)
    assert.deepEqual((await store.sessions.get('s1'))?.head, foldHead(entries))
  }),

  storeCase('of many owners at once exactly one gets the session', async ({ store }) => {
    await createSession(store, 's1')
    const outcomes = await Promise.all(names.map((id) => store.leases.acquire('s1', createTestOwner(id))))
    assert.equal(outcomes.filter(({ ok }) => ok).length, 1)
    const winner = outcomes.find((outcome) => outcome.ok)
    assert.equal((await store.leases.getOwner('s1'))?.id, winner?.ok === true ? winner.lease.ownerId : '')
  }),

  storeCase('of many sessions created under one id exactly one is', async ({ store }) => {
    const outcomes = await Promise.allSettled(
      names.map((text) => store.sessions.create({ id: 's1', createdAt: START_AT, entries: numberLines([user(text)]) })),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.ok(outcomes.every((outcome) => outcome.status === 'fulfilled' || isCode(outcome.reason, 'id-conflict')))
    assert.equal((await store.entries.read('s1', {})).length, 1)
  }),

  storeCase('event ids are gap-free, however many write at once', async ({ store }) => {
    await createSession(store, 's1')
    const lastIds = await Promise.all(names.map((name) => store.events.add('s1', START_AT, [{ name }, { name }])))
    assert.equal(new Set(lastIds).size, names.length)
    const events = await store.events.read('s1', 0, 1_000)
    assert.deepEqual(
      events.map(({ id }) => id),
      Array.from({ length: names.length * 2 }, (_, index) => index + 1),
    )
    for (let index = 0; index < events.length; index += 2)
      assert.deepEqual(events[index]?.event, events[index + 1]?.event)
  }),

  storeCase('the same artifact put many times at once is there once', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    const content = 'the same output'.repeat(1_000)
    await Promise.all(
      names.map((_, index) => store.artifacts.put({ sessionId: index % 2 === 0 ? 's1' : 's2', at: START_AT, content })),
    )
    for (const id of ['s1', 's2']) {
      const [info, ...others] = await store.artifacts.list(id)
      assert.deepEqual(others, [])
      assert.equal(await store.artifacts.read(id, info?.id ?? ''), content)
    }
    assert.deepEqual(await store.check(), [])
  }),

  storeCase('a session purged while others write to it leaves nothing behind', async ({ store }) => {
    const writer = await startSession(store, 's1', user('a walrus'))
    const outcomes = await Promise.allSettled([
      ...names.slice(0, 10).map((id) => store.inbox.put(message(id))),
      writer.write([user('another walrus')]),
      store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'a third walrus' }),
      store.sessions.purge('s1'),
      store.events.add('s1', START_AT, [{ type: 'delta' }]),
      store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'a fourth walrus' }),
      ...names.slice(10, 20).map((id) => store.inbox.put(message(id))),
    ])
    for (const outcome of outcomes) {
      assert.ok(
        outcome.status === 'fulfilled' || isCode(outcome.reason, 'not-found') || isCode(outcome.reason, 'lease-lost'),
      )
    }
    assert.deepEqual(await dumpText(store), [])
    assert.equal(await store.search.rebuild(), 0)
    assert.deepEqual(await store.check(), [])
  }),

  storeCase('a late append is stored before the new owner has the session, or never', async ({ store, passTime }) => {
    await expectFencing(store, store, passTime)
  }),

  storeCase('exactly one of two prepared compactions wins', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'), assistant('two'), user('three'), assistant('four'))
    const { epoch } = writer.getHead()
    const outcomes = await Promise.allSettled(
      [2, 3].map((fromSeq) => store.entries.append({ ...writer.plan(compaction(fromSeq)), epoch })),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await store.sessions.get('s1'))?.head.compactionCount, 1)
  }),
]

export const sharedConcurrencyCases = [
  sharedStoreCase(
    'two stores put into one inbox at once, and nothing is lost or doubled',
    async ({ store, openAgain }) => {
      const other = await openAgain()
      await createSession(store, 's1')
      const stored = await Promise.all(
        names.flatMap((id) => [store.inbox.put(message(id)), other.inbox.put(message(id))]),
      )
      assert.equal(stored.filter(({ status }) => status === 'new').length, names.length)
      await expectAllWaiting(store)
      await expectAllWaiting(other)
    },
  ),

  sharedStoreCase('of owners on two stores exactly one gets a session', async ({ store, openAgain }) => {
    const stores = [store, await openAgain()]
    const ids = Array.from({ length: 10 }, (_, index) => `s${index}`)
    for (const id of ids) await createSession(store, id)
    for (const id of ids) {
      const outcomes = await Promise.all(
        names.map((name, index) => (stores[index % 2] ?? store).leases.acquire(id, createTestOwner(name))),
      )
      assert.equal(outcomes.filter(({ ok }) => ok).length, 1)
    }
  }),

  sharedStoreCase(
    'an owner on another store takes over, and the late one is refused',
    async ({ store, openAgain, passTime }) => {
      const late = await startSession(store, 's1', user('one'))
      const other = await openAgain()
      assert.ok(!(await other.leases.acquire('s1', createTestOwner('second'))).ok)
      await passTime(store.leases.ttlMs + 1)
      const current = await takeSession(other, 's1', 'second')
      const outcomes = await Promise.allSettled([late.write([user('too late')]), current.write([user('in time')])])
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'fulfilled'],
      )
      assert.deepEqual(await store.leases.renew([late.lease]), [late.lease])
      const entries = await store.entries.read('s1', {})
      assert.match(JSON.stringify(entries.at(-1)), /in time/)
      assert.equal(entries.length, 2)
    },
  ),

  sharedStoreCase('a late append is never stored behind an owner on another store', async (context) => {
    await expectFencing(context.store, await context.openAgain(), context.passTime)
  }),

  sharedStoreCase('two stores append to one document at once, and nothing is lost', async ({ store, openAgain }) => {
    const other = await openAgain()
    await Promise.all(
      names.map((name, index) =>
        (index % 2 === 0 ? store : other).memory.append({ name: 'log.md', updatedAt: START_AT, text: `${name}\n` }, []),
      ),
    )
    const text = (await store.memory.get('log.md'))?.text ?? ''
    assert.deepEqual(text.trimEnd().split('\n').toSorted(), names.toSorted())
  }),

  sharedStoreCase('events of two stores are numbered as one', async ({ store, openAgain }) => {
    const other = await openAgain()
    await createSession(store, 's1')
    await Promise.all(
      names.map((name, index) => (index % 2 === 0 ? store : other).events.add('s1', START_AT, [{ name }])),
    )
    const events = await other.events.read('s1', 0, 1_000)
    assert.deepEqual(
      events.map(({ id }) => id),
      names.map((_, index) => index + 1),
    )
  }),

  sharedStoreCase('a session purged by one store is gone for the other', async ({ store, openAgain }) => {
    const late = await startSession(store, 's1', user('a walrus'))
    const other = await openAgain()
    await other.sessions.purge('s1')
    assert.equal(await store.sessions.get('s1'), null)
    assert.deepEqual(await store.search.search({ query: 'walrus' }), [])
    await assert.rejects(late.write([user('too late')]), (error) => isCode(error, 'lease-lost'))
  }),
]

/** What the new owner reads first is all there ever is of the old one. */
async function expectFencing(store: Store, other: Store, passTime: (ms: number) => Promise<void>): Promise<void> {
  const ids = Array.from({ length: 12 }, (_, index) => `s${index}`)
  const writers = await Promise.all(ids.map((id) => startSession(store, id, user('one'))))
  await passTime(store.leases.ttlMs + 1)
  await Promise.all(
    writers.map(async (late) => {
      const { sessionId } = late.lease
      const [written, taken] = await Promise.allSettled([
        late.write([user('late')]),
        takeSession(other, sessionId, 'new'),
      ])
      assert.ok(taken.status === 'fulfilled')
      assert.equal(taken.value.getHead().lastSeq, written.status === 'fulfilled' ? 2 : 1)
      await taken.value.write([user('by the new owner')])
    }),
  )
}

async function expectAllWaiting(store: Store): Promise<void> {
  const waiting = await store.inbox.list('s1')
  assert.deepEqual(waiting.map(({ id }) => id).toSorted(), names.toSorted())
  const positions = waiting.map(({ position }) => position)
  assert.deepEqual(
    positions,
    [...new Set(positions)].toSorted((first, second) => first - second),
  )
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
