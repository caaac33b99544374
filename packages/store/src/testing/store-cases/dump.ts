import assert from 'node:assert/strict'
import type { DumpRecord } from '../../port/dump.ts'
import { START_AT, numberLines, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { dumpText, expectCode, readDump, toComparable } from '../expectations.ts'
import { fillStore } from '../fill-store.ts'
import { createSession, createTestOwner, startSession } from '../session-writer.ts'

export const dumpCases = [
  storeCase('a dump holds every kind of record, and the entries of a session follow it in order', async ({ store }) => {
    await fillStore(store)
    const records = await readDump(store)
    assert.deepEqual([...new Set(records.map(({ type }) => type))].toSorted(), [
      'artifact',
      'entry',
      'inbox',
      'learned',
      'memory',
      'request',
      'session',
    ])
    for (const id of ['talk', 'hidden', 'empty']) {
      const of = records.filter((record) => record.type === 'entry' && record.sessionId === id)
      const place = records.findIndex((record) => record.type === 'session' && record.id === id)
      assert.deepEqual(
        of.map((record) => record.type === 'entry' && record.entry),
        await store.entries.read(id, {}),
      )
      assert.deepEqual(records.slice(place + 1, place + 1 + of.length), of)
    }
  }),

  storeCase('a dump loaded elsewhere gives the same dump again', async ({ store, openOther }) => {
    await fillStore(store)
    const records = await readDump(store)
    const other = await openOther()
    await other.load(iterate(records))
    assert.deepEqual(await dumpText(other), toComparable(records))
    for (const id of ['talk', 'hidden', 'empty'])
      assert.deepEqual(await other.sessions.get(id), await store.sessions.get(id))
  }),

  storeCase('a loaded store goes on where the other one stopped', async ({ store, openOther }) => {
    await fillStore(store)
    const content = (await store.artifacts.read('talk', 'full')) ?? assert.fail()
    await store.artifacts.put({ sessionId: 'empty', id: 'same', at: START_AT, content })
    const other = await openOther()
    await other.load(store.dump())
    const found = (await other.search.search({ query: 'mat' })).map(({ sessionId, seq }) => ({ sessionId, seq }))
    assert.deepEqual(found, [{ sessionId: 'talk', seq: 5 }])
    const listed = (await other.sessions.list({ query: '日本語' })).items
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['talk'],
    )
    assert.deepEqual(await other.inbox.list('talk'), await store.inbox.list('talk'))
    assert.deepEqual(await other.memory.search({ query: 'fridays' }), await store.memory.search({ query: 'fridays' }))
    assert.deepEqual(await other.requests.getLast('talk'), await store.requests.getLast('talk'))
    assert.deepEqual(await other.artifacts.list('talk'), await store.artifacts.list('talk'))
    assert.equal(await other.artifacts.read('empty', 'same'), content)
    assert.equal((await other.inbox.put(message('settled', 'done'))).status, 'settled')
    await expectCode('id-conflict', () => other.inbox.put(message('settled', 'other')))
    const added = await other.inbox.put(message('new'))
    const waiting = await other.inbox.list('talk')
    assert.ok(waiting.every(({ id, position }) => id === 'new' || position < added.item.position))
    assert.ok((await other.leases.acquire('talk', createTestOwner('elsewhere'))).ok)
    assert.equal(await other.events.getLastId('talk'), 0)
    assert.deepEqual(await other.check(), [])
  }),

  storeCase('only an empty store is loaded into', async ({ store, openOther }) => {
    await createSession(store, 's1', user('hello'))
    const other = await openOther()
    await other.memory.put({ name: 'MEMORY.md', updatedAt: START_AT, text: 'x' }, [])
    const before = await dumpText(other)
    await expectCode('not-empty', () => other.load(store.dump()))
    await expectCode('not-empty', () => store.load(iterate([])))
    assert.deepEqual(await dumpText(other), before)
    await other.memory.delete('MEMORY.md')
    await other.load(store.dump())
    assert.deepEqual(await dumpText(other), await dumpText(store))
  }),

  storeCase('a load that breaks off leaves the store empty', async ({ store, openOther }) => {
    await fillStore(store)
    const records = await readDump(store)
    const other = await openOther()
    await assert.rejects(other.load(breakOff(records)), /the tape tore/)
    assert.deepEqual(await readDump(other), [])
    const [entry] = numberLines([user('x')])
    assert.ok(entry !== undefined)
    const orphan: DumpRecord = { type: 'entry', sessionId: 'nobody', entry }
    const gap: DumpRecord = { type: 'entry', sessionId: 'hidden', entry: { ...entry, id: 'x', seq: 3 } }
    for (const wrong of [orphan, gap]) {
      await assert.rejects(other.load(iterate([...records, wrong])))
      assert.deepEqual(await readDump(other), [])
    }
    assert.deepEqual(await other.search.search({ query: 'mat' }), [])
    await other.load(iterate(records))
    assert.deepEqual(await dumpText(other), toComparable(records))
  }),

  storeCase('a dump is a snapshot, while others go on writing', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'), user('two'))
    await createSession(store, 's2', user('one'))
    const before = await dumpText(store)
    const records: DumpRecord[] = []
    for await (const record of store.dump()) {
      if (records.length === 0) {
        await writer.write([user('three')])
        await createSession(store, 's3', user('four'))
        await store.inbox.put({ ...message('i1'), sessionId: 's1' })
      }
      records.push(record)
    }
    assert.deepEqual(toComparable(records), before)
    assert.equal((await store.entries.read('s1', {})).length, 3)
  }),

  storeCase('a dump that nobody reads to its end or wants any more does no harm', async ({ store }) => {
    await fillStore(store)
    for await (const record of store.dump()) {
      assert.ok(record.type)
      break
    }
    await assert.rejects(async () => {
      for await (const record of store.dump(AbortSignal.abort())) assert.ok(record.type)
    })
    await createSession(store, 'afterwards', user('still works'))
  }),
]

function message(id: string, text = `text of ${id}`) {
  return { sessionId: 'talk', id, at: START_AT, kind: 'message', payload: { text } } as const
}

async function* iterate(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records
}

async function* breakOff(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records.slice(0, -1)
  throw new Error('the tape tore')
}
