import assert from 'node:assert/strict'
import { createLearnt } from '@longhaul/engine'
import type { DumpRecord } from '../../port/dump.ts'
import type { Store } from '../../port/store.ts'
import { START_AT, assistant, compaction, numberLines, settings, toolCall, user } from '../build-entries.ts'
import { createManifests } from '../build-manifests.ts'
import { storeCase } from '../conformance-case.ts'
import { dumpText, expectCode, readDump, toComparable } from '../expectations.ts'
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
    for (const id of ['s1', 's2', 'hidden']) {
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
    for (const id of ['s1', 's2', 'hidden'])
      assert.deepEqual(await other.sessions.get(id), await store.sessions.get(id))
  }),

  storeCase('a loaded store goes on where the other one stopped', async ({ store, openOther }) => {
    await fillStore(store)
    const other = await openOther()
    await other.load(store.dump())
    assert.deepEqual(
      (await other.search.search({ query: 'walrus' })).map(({ sessionId, seq }) => ({ sessionId, seq })),
      (await store.search.search({ query: 'walrus' })).map(({ sessionId, seq }) => ({ sessionId, seq })),
    )
    assert.deepEqual(
      (await other.sessions.list({ query: 'arctic' })).items.map(({ id }) => id),
      ['s1'],
    )
    assert.deepEqual(await other.inbox.list('s1'), await store.inbox.list('s1'))
    assert.deepEqual(await other.memory.search({ query: 'tea' }), await store.memory.search({ query: 'tea' }))
    assert.deepEqual(await other.requests.getLast('s1'), await store.requests.getLast('s1'))
    assert.deepEqual(await other.artifacts.list('s1'), await store.artifacts.list('s1'))
    assert.equal(await other.artifacts.read('s2', 'a1'), 'content of a1')
    assert.equal((await other.inbox.put(message('i1'))).status, 'settled')
    await expectCode('id-conflict', () => other.inbox.put({ ...message('i1'), payload: { text: 'other' } }))
    const added = await other.inbox.put(message('i3'))
    assert.ok((await other.inbox.list('s1')).every(({ id, position }) => id === 'i3' || position < added.item.position))
    assert.ok((await other.leases.acquire('s1', createTestOwner('elsewhere'))).ok)
    assert.equal(await other.events.getLastId('s1'), 0)
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
    const gap: DumpRecord = { type: 'entry', sessionId: 's2', entry: { ...entry, id: 'x', seq: 3 } }
    for (const wrong of [orphan, gap]) {
      await assert.rejects(other.load(iterate([...records, wrong])))
      assert.deepEqual(await readDump(other), [])
    }
    assert.deepEqual(await other.search.search({ query: 'walrus' }), [])
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
        await store.inbox.put(message('i1'))
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

function message(id: string) {
  return { sessionId: 's1', id, at: START_AT, kind: 'message', payload: { text: `text of ${id}` } } as const
}

async function fillStore(store: Store): Promise<void> {
  const writer = await startSession(
    store,
    's1',
    settings({ title: 'Arctic animals' }),
    user('a walrus'),
    assistant('two'),
  )
  await store.inbox.put(message('i1'))
  await store.inbox.put(message('i2'))
  await writer.write([user('text of i1', 'i1'), toolCall('run', { ['__proto__']: 1, b: 2, a: 3 }), compaction(3)], {
    settles: ['i1'],
  })
  await createSession(store, 's2', user('another walrus \u0000 \ud800'))
  await createSession(store, 'hidden', user('a hidden walrus'))
  await store.sessions.setDeleted('hidden', START_AT + 7)
  for (const sessionId of ['s1', 's2']) {
    await store.artifacts.put({ sessionId, id: 'a1', at: START_AT + 3, content: 'content of a1' })
  }
  for (const { stored } of createManifests(3)) await store.requests.add('s1', stored)
  await store.requests.settle('s1', 2, { usage: { output: 1, input: 2 } })
  await store.events.add('s1', START_AT, [{ type: 'delta' }])
  await store.learned.setCalibration('gpt-x', 'classes', createLearnt())
  await store.learned.setWindow('gpt-y', { tokens: 32_000, at: START_AT })
  await store.memory.put({ name: 'MEMORY.md', updatedAt: START_AT, text: 'Likes tea.' }, [
    { kind: 'fact', line: 1, text: 'Likes tea.' },
  ])
}

async function* iterate(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records
}

async function* breakOff(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records.slice(0, -1)
  throw new Error('the tape tore')
}
