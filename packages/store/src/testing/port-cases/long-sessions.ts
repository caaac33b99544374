import assert from 'node:assert/strict'
import type { Entry } from '@longhaul/engine/advanced'
import { foldHead } from '../../records/describe-session.ts'
import { START_AT, assistant, compaction, numberLines, settings, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { dumpText, expectRefusal, expectSameBytes } from '../expectations.ts'
import { createSession } from '../session-writer.ts'

/** More than any backend stores in one step. */
const LONG = 1_500

function longTalk(): readonly Entry[] {
  const lines = Array.from({ length: LONG }, (_, index) =>
    index % 2 === 0 ? user(`Ask ${index}`) : assistant(index === 701 ? 'A walrus.' : `Say ${index}`),
  )
  return numberLines([settings({ title: 'Long' }), ...lines, compaction(900)])
}

async function* inPieces(entries: readonly Entry[], size = 400): AsyncGenerator<readonly Entry[]> {
  for (let from = 0; from < entries.length; from += size) yield entries.slice(from, from + size)
}

/** Walked anew each time. */
function walk(pieces: () => AsyncIterable<readonly Entry[]>): AsyncIterable<readonly Entry[]> {
  return { [Symbol.asyncIterator]: () => pieces()[Symbol.asyncIterator]() }
}

export const longSessionCases = [
  storeCase('18.13 a session that comes in pieces is the session that comes as a list', async ({ store }) => {
    const entries = longTalk()
    const header = { title: 'Imported', importedSeq: entries.length }
    const artifacts = [{ id: 'a1', content: 'the full output' }]
    const session = { createdAt: START_AT, header, artifacts }
    const whole = await store.sessions.create({ id: 'whole', ...session, entries })
    const pieced = await store.sessions.create({
      id: 'pieced',
      ...session,
      entries: walk(() => inPieces(entries)),
    })
    assert.deepEqual({ ...pieced, id: 'whole' }, whole)
    assert.deepEqual(await store.sessions.get('pieced'), pieced)
    expectSameBytes(pieced.head, foldHead(entries))
    expectSameBytes(await store.entries.read('pieced', {}), entries)
    assert.equal(await store.artifacts.read('pieced', 'a1'), 'the full output')
    const found = await store.search.search({ query: 'walrus' })
    assert.deepEqual(found.map(({ sessionId }) => sessionId).toSorted(), ['pieced', 'whole'])
    assert.deepEqual(await store.check(), [])
  }),

  storeCase('18.13 nobody sees a session before all of its pieces are stored', async ({ store }) => {
    const entries = longTalk()
    await store.sessions.create({
      id: 's1',
      createdAt: START_AT,
      entries: walk(async function* () {
        for await (const piece of inPieces(entries)) {
          assert.equal(await store.sessions.get('s1'), null)
          assert.deepEqual(await store.entries.read('s1', {}), [])
          assert.deepEqual((await store.sessions.list({})).items, [])
          yield piece
        }
      }),
    })
    assert.equal((await store.entries.read('s1', {})).length, entries.length)
  }),

  storeCase('18.13 a session that breaks off after some pieces leaves nothing', async ({ store }) => {
    await createSession(store, 'other', user('hello'))
    const before = await dumpText(store)
    const [first, second] = await Array.fromAsync(inPieces(longTalk()))
    const create = (id: string, ...pieces: readonly (readonly Entry[] | undefined | Error)[]) =>
      store.sessions.create({
        id,
        createdAt: START_AT,
        entries: walk(async function* () {
          for (const piece of pieces) {
            if (piece instanceof Error) throw piece
            yield piece ?? []
          }
        }),
      })
    await assert.rejects(create('s1', first, second, new Error('the source broke')), /the source broke/)
    await expectRefusal(store, 'out-of-order', () => create('s1', first, first))
    const named = second?.map((entry) => ({ ...entry, id: entry.seq === 401 ? 'e1' : entry.id }))
    await expectRefusal(store, 'id-conflict', () => create('s1', first, named))
    await expectRefusal(store, 'id-conflict', () => create('other', first, second))
    assert.deepEqual(await dumpText(store), before)
    assert.deepEqual(await store.check(), [])
  }),

  storeCase('18.13 others write while a long session is stored', async ({ store }) => {
    let written = 0
    await store.sessions.create({
      id: 'long',
      createdAt: START_AT,
      entries: walk(async function* () {
        for await (const piece of inPieces(longTalk(), 100)) {
          yield piece
          await createSession(store, `other-${written}`, user('hello'))
          written += 1
        }
      }),
    })
    assert.ok(written > 10)
    assert.equal((await store.sessions.list({ limit: 100 })).items.length, written + 1)
  }),
]
