import assert from 'node:assert/strict'
import type { RequestPage } from '../../port/requests.ts'
import type { Store } from '../../port/store.ts'
import { START_AT } from '../build-entries.ts'
import { createManifests } from '../build-manifests.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal, expectSameBytes } from '../expectations.ts'
import { createSession } from '../session-writer.ts'

const OUTCOME = { usage: { output: 5, input: 100 }, ['__proto__']: null }

export const requestCases = [
  storeCase('a manifest comes back whole, whatever it was stored against', async ({ store }) => {
    await createSession(store, 's1')
    const requests = createManifests(70)
    for (const { stored } of requests) await store.requests.add('s1', stored)
    assert.ok(requests.filter(({ stored }) => !stored.isFull).length > 60)
    for (const number of [1, 2, 33, 63, 64, 65, 70]) {
      const found = await store.requests.get('s1', number)
      expectSameBytes(found, { manifest: found?.manifest, outcome: null })
      assert.deepEqual(found?.manifest, requests[number - 1]?.manifest)
    }
    assert.equal((await store.requests.getLast('s1'))?.manifest.number, 70)
  }),

  storeCase('a request is settled with its outcome', async ({ store }) => {
    await createSession(store, 's1')
    await addAll(store, 's1', 2)
    await store.requests.settle('s1', 2, OUTCOME)
    await store.requests.settle('s1', 99, OUTCOME)
    expectSameBytes((await store.requests.get('s1', 2))?.outcome, OUTCOME)
    assert.equal((await store.requests.get('s1', 1))?.outcome, null)
    expectSameBytes((await store.requests.getLast('s1'))?.outcome, OUTCOME)
    assert.equal(await store.requests.get('s1', 99), null)
  }),

  storeCase('the same number again replaces what was there', async ({ store }) => {
    await createSession(store, 's1')
    await addAll(store, 's1', 1)
    await store.requests.settle('s1', 1, OUTCOME)
    const [first] = createManifests(1)
    assert.ok(first !== undefined)
    await store.requests.add('s1', { ...first.stored, bytesHash: 'another' })
    const found = await store.requests.get('s1', 1)
    assert.deepEqual([found?.manifest.bytesHash, found?.outcome], ['another', null])
  }),

  storeCase('what is not there reads as nothing', async ({ store }) => {
    await createSession(store, 's1')
    assert.equal(await store.requests.getLast('s1'), null)
    assert.equal(await store.requests.get('nobody', 1), null)
    assert.deepEqual(await store.requests.list('nobody', {}), { items: [], next: null })
    const [first] = createManifests(1)
    assert.ok(first !== undefined)
    await expectRefusal(store, 'not-found', () => store.requests.add('nobody', first.stored))
  }),

  storeCase('requests are listed newest first, page by page, also while some are added', async ({ store }) => {
    await createSession(store, 's1')
    await addAll(store, 's1', 7)
    await store.requests.settle('s1', 6, OUTCOME)
    const first = await store.requests.list('s1', { limit: 3 })
    assert.deepEqual(numbersIn(first), [7, 6, 5])
    assert.deepEqual(first.items[1], await store.requests.get('s1', 6))
    const [, , , , , , , eighth] = createManifests(8)
    assert.ok(eighth !== undefined)
    await store.requests.add('s1', eighth.stored)
    assert.ok(first.next !== null)
    const second = await store.requests.list('s1', { limit: 3, before: first.next })
    assert.deepEqual(numbersIn(second), [4, 3, 2])
    assert.ok(second.next !== null)
    assert.deepEqual(numbersIn(await store.requests.list('s1', { limit: 3, before: second.next })), [1])
    assert.equal((await store.requests.list('s1', { limit: 8 })).next, null)
    assert.deepEqual(numbersIn(await store.requests.list('s1', { limit: 0 })), [8])
  }),

  storeCase('what rests on a deleted request is left out; the next full one starts anew', async ({ store }) => {
    await createSession(store, 's1')
    await addAll(store, 's1', 66)
    assert.equal(await store.requests.deleteBefore(START_AT + 5), 4)
    assert.equal(await store.requests.get('s1', 4), null)
    assert.equal(await store.requests.get('s1', 5), null)
    assert.equal(await store.requests.get('s1', 63), null)
    assert.equal((await store.requests.getLast('s1'))?.manifest.number, 66)
    assert.equal((await store.requests.get('s1', 65))?.manifest.items.length, 65)
    const seen: number[] = []
    let page = await store.requests.list('s1', { limit: 10 })
    for (;;) {
      seen.push(...numbersIn(page))
      if (page.next === null) break
      page = await store.requests.list('s1', { limit: 10, before: page.next })
    }
    assert.deepEqual(seen, [66, 65, 64])
  }),

  storeCase('a last request that rests on a deleted one reads as nothing', async ({ store }) => {
    await createSession(store, 's1')
    await addAll(store, 's1', 3)
    await store.requests.deleteBefore(START_AT + 2)
    assert.equal(await store.requests.getLast('s1'), null)
    assert.deepEqual(await store.requests.list('s1', {}), { items: [], next: null })
  }),

  storeCase('numbers go on after everything old was deleted', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    assert.equal(await store.requests.getLastNumber('s1'), 0)
    assert.equal(await store.requests.getLastNumber('nobody'), 0)
    await addAll(store, 's1', 3)
    await addAll(store, 's2', 1)
    assert.equal(await store.requests.deleteBefore(START_AT + 1_000), 2)
    assert.equal(await store.requests.deleteBefore(START_AT + 1_000), 0)
    assert.equal(await store.requests.getLastNumber('s1'), 3)
    assert.equal(await store.requests.getLastNumber('s2'), 1)
    const [, , , fourth] = createManifests(4)
    assert.ok(fourth !== undefined)
    await store.requests.add('s1', fourth.stored)
    assert.equal(await store.requests.getLastNumber('s1'), 4)
    assert.equal(await store.requests.deleteBefore(START_AT + 1_000), 1)
  }),

  storeCase('requests of sessions keep apart', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    await addAll(store, 's1', 3)
    await addAll(store, 's2', 1)
    assert.equal((await store.requests.getLast('s2'))?.manifest.number, 1)
    assert.equal(await store.requests.get('s2', 2), null)
  }),
]

async function addAll(store: Store, sessionId: string, count: number): Promise<void> {
  for (const { stored } of createManifests(count)) await store.requests.add(sessionId, stored)
}

function numbersIn({ items }: RequestPage): readonly number[] {
  return items.map(({ manifest }) => manifest.number)
}
