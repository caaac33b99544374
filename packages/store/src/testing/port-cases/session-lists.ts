import assert from 'node:assert/strict'
import type { SessionQuery } from '../../port/sessions.ts'
import type { Store } from '../../port/store.ts'
import { START_AT, settings, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal } from '../expectations.ts'
import { createSession, startSession } from '../session-writer.ts'

export const sessionListCases = [
  storeCase('ONE-02 sessions are listed by their last change, newest first', async ({ store }) => {
    await createAt(store, 'old', START_AT)
    await createAt(store, 'middle', START_AT + 10)
    await createAt(store, 'new', START_AT + 20)
    assert.deepEqual(await listIds(store, {}), ['new', 'middle', 'old'])
    const { items } = await store.sessions.list({})
    assert.deepEqual(items[1], await store.sessions.get('middle'))
    const writer = await startSession(store, 'written', user('now the newest'))
    assert.equal((await listIds(store, {}))[0], 'written')
    await createAt(store, 'later', START_AT + 1_500)
    await writer.write([user('again')])
    assert.deepEqual(await listIds(store, {}), ['written', 'later', 'new', 'middle', 'old'])
  }),

  storeCase(
    'sessions are listed by their last change whether they have an owner, had one or lost it',
    async ({ store, passTime }) => {
      await createAt(store, 'never', START_AT)
      const lost = await startSession(store, 'lost')
      await lost.write([{ ...user('a walrus'), at: START_AT + 3_000 }])
      await passTime(store.leases.ttlMs + 1)
      const owned = await startSession(store, 'owned')
      await owned.write([{ ...user('a walrus'), at: START_AT + 2_000 }])
      const released = await startSession(store, 'released')
      await released.write([{ ...user('a walrus'), at: START_AT + 1_000 }])
      await store.leases.release(released.lease)
      const order = ['lost', 'owned', 'released', 'never']
      for (const limit of [1, 2, 3, 10]) {
        assert.deepEqual(await pageThrough(store, { limit }), order)
        assert.deepEqual(await pageThrough(store, { limit, query: 'walrus' }), order.slice(0, 3))
      }
      assert.deepEqual(await listIds(store, { updatedBefore: START_AT + 3_000 }), order.slice(1))
    },
  ),

  storeCase('every session is on one page once, also those changed in the same millisecond', async ({ store }) => {
    const ids = Array.from({ length: 23 }, (_, index) => `s${index}`)
    for (const id of ids) await createAt(store, id, START_AT + (id.length === 2 ? 5 : 7))
    for (const limit of [1, 4, 23, 100]) {
      const seen = await pageThrough(store, { limit })
      assert.deepEqual(seen.toSorted(), ids.toSorted())
    }
  }),

  storeCase('pages stay in place while sessions are added', async ({ store }) => {
    for (let index = 0; index < 9; index += 1) await createAt(store, `s${index}`, START_AT + index)
    const first = await store.sessions.list({ limit: 4 })
    assert.deepEqual(
      first.items.map(({ id }) => id),
      ['s8', 's7', 's6', 's5'],
    )
    await createAt(store, 'newcomer', START_AT + 100)
    assert.ok(first.next !== null)
    const second = await store.sessions.list({ limit: 4, after: first.next })
    assert.deepEqual(
      second.items.map(({ id }) => id),
      ['s4', 's3', 's2', 's1'],
    )
    assert.ok(second.next !== null)
    const third = await store.sessions.list({ limit: 4, after: second.next })
    assert.deepEqual(
      third.items.map(({ id }) => id),
      ['s0'],
    )
    assert.equal(third.next, null)
  }),

  storeCase('a list ends with its last full page', async ({ store }) => {
    for (const id of ['a', 'b']) await createAt(store, id, START_AT)
    assert.equal((await store.sessions.list({ limit: 2 })).next, null)
    assert.notEqual((await store.sessions.list({ limit: 1 })).next, null)
  }),

  storeCase('a page size out of range is clamped', async ({ store }) => {
    for (let index = 0; index < 53; index += 1) await createAt(store, `s${index}`, START_AT + index)
    const sizes = await Promise.all(
      [0, -5, 2.9, Number.NaN, undefined, 1e9].map(async (limit) => {
        const page = await store.sessions.list(limit === undefined ? {} : { limit })
        return page.items.length
      }),
    )
    assert.deepEqual(sizes, [1, 1, 2, 50, 50, 53])
  }),

  storeCase('a place that no list has given is refused', async ({ store }) => {
    for (const after of ['', 'nonsense', '12', '.x', '12.a\u0000b']) {
      await expectRefusal(store, 'invalid', () => store.sessions.list({ after }))
    }
  }),

  storeCase('ONE-02 hidden sessions are listed apart', async ({ store }) => {
    await createAt(store, 'shown', START_AT)
    await createAt(store, 'hidden', START_AT)
    await store.sessions.setDeleted('hidden', START_AT + 1)
    assert.deepEqual(await listIds(store, {}), ['shown'])
    assert.deepEqual(await listIds(store, { deleted: true }), ['hidden'])
    assert.deepEqual(await listIds(store, { deleted: false }), ['shown'])
    await store.sessions.setDeleted('hidden', null)
    assert.deepEqual((await listIds(store, {})).toSorted(), ['hidden', 'shown'])
    assert.deepEqual(await listIds(store, { deleted: true }), [])
  }),

  storeCase('sessions can be listed by when they were last changed', async ({ store }) => {
    for (const [index, id] of ['a', 'b', 'c'].entries()) await createAt(store, id, START_AT + index)
    assert.deepEqual(await listIds(store, { updatedBefore: START_AT + 2 }), ['b', 'a'])
    assert.deepEqual(await listIds(store, { updatedBefore: START_AT }), [])
  }),

  storeCase('a list can be asked for words of a title or of any message', async ({ store }) => {
    await createSession(store, 'by-title', settings({ title: 'Große Flüsse' }), user('hello'))
    await createSession(store, 'by-message', user('the volga is long'), user('bye'))
    await createSession(store, 'by-neither', user('nothing of it'))
    assert.deepEqual(await listIds(store, { query: 'flusse' }), ['by-title'])
    assert.deepEqual(await listIds(store, { query: 'VOLGA' }), ['by-message'])
    assert.deepEqual((await listIds(store, { query: 'volga große' })).toSorted(), ['by-message', 'by-title'])
    assert.deepEqual(await listIds(store, { query: 'danube' }), [])
    for (const query of ['"*(', '\u0000', '\ud800', "'; --"]) assert.deepEqual(await listIds(store, { query }), [])
    assert.equal((await listIds(store, { query: '' })).length, 3)
    await store.sessions.setDeleted('by-message', START_AT)
    assert.deepEqual(await listIds(store, { query: 'volga' }), [])
    assert.deepEqual(await listIds(store, { query: 'volga', deleted: true }), ['by-message'])
  }),

  storeCase('what is searched for comes page by page too, each session once', async ({ store }) => {
    for (let index = 0; index < 7; index += 1) {
      await createSession(store, `s${index}`, user('the volga'), user('volga volga'), user(`again the volga ${index}`))
    }
    const seen = await pageThrough(store, { query: 'volga', limit: 3 })
    assert.deepEqual(seen.toSorted(), ['s0', 's1', 's2', 's3', 's4', 's5', 's6'])
  }),

  storeCase('a renamed session is found by its new title alone', async ({ store }) => {
    const writer = await startSession(store, 's1', settings({ title: 'Elbe' }))
    await writer.write([settings({ title: 'Oder' })])
    assert.deepEqual(await listIds(store, { query: 'oder' }), ['s1'])
    assert.deepEqual(await listIds(store, { query: 'elbe' }), [])
  }),
]

async function createAt(store: Store, id: string, createdAt: number): Promise<void> {
  await store.sessions.create({ id, createdAt })
}

async function listIds(store: Store, query: SessionQuery): Promise<readonly string[]> {
  return (await store.sessions.list(query)).items.map(({ id }) => id)
}

async function pageThrough(store: Store, query: SessionQuery): Promise<readonly string[]> {
  const seen: string[] = []
  let page = await store.sessions.list(query)
  for (;;) {
    seen.push(...page.items.map(({ id }) => id))
    if (page.next === null) return seen
    page = await store.sessions.list({ ...query, after: page.next })
  }
}
