import assert from 'node:assert/strict'
import type { Memory, MemoryKind, NearQuery } from '../../port/memory.ts'
import { START_AT } from '../build-entries.ts'
import { sharedStoreCase, storeCase } from '../conformance-case.ts'
import { expectCode } from '../expectations.ts'

const MODEL = 'local/embed'

/** A document whose lines are its chunks. */
async function put(memory: Memory, name: string, lines: readonly string[], updatedAt = START_AT): Promise<void> {
  const chunks = lines.map((text, index) => ({ kind: 'fact' as MemoryKind, line: index + 1, text }))
  await memory.put({ name, updatedAt, text: lines.join('\n') }, chunks)
}

async function give(memory: Memory, vectors: Readonly<Record<string, readonly number[]>>): Promise<void> {
  await memory.putVectors(
    MODEL,
    Object.entries(vectors).map(([text, vector]) => ({ text, vector })),
  )
}

async function textsNear(memory: Memory, vector: readonly number[], more: Partial<NearQuery> = {}) {
  return (await memory.searchNear({ model: MODEL, vector, ...more })).map(({ text }) => text)
}

export const memoryVectorCases = [
  storeCase('chunks are found by their vectors, the nearest first', async ({ store: { memory } }) => {
    await put(memory, 'MEMORY.md', ['east', 'north', 'north-east', 'west', 'nowhere'])
    await give(memory, { east: [1, 0], north: [0, 20], 'north-east': [0.1, 0.1], west: [-3, 0], nowhere: [0, 0] })
    const hits = await memory.searchNear({ model: MODEL, vector: [5, 0] })
    assert.deepEqual(
      hits.map(({ text }) => text),
      ['east', 'north-east', 'nowhere', 'north', 'west'],
    )
    const expected = [1, Math.SQRT1_2, 0, 0, -1]
    for (const [index, { score }] of hits.entries()) assert.ok(Math.abs(score - (expected[index] ?? NaN)) < 1e-6)
    const { score: _score, ...east } = hits[0] ?? assert.fail('Nothing was found.')
    assert.deepEqual(east, { kind: 'fact', line: 1, text: 'east', document: 'MEMORY.md', updatedAt: START_AT })
    assert.deepEqual(await textsNear(memory, [5, 0], { limit: 2 }), ['east', 'north-east'])
    assert.deepEqual(await textsNear(memory, [5, 0], { limit: 0 }), ['east'])
  }),

  storeCase('of equally near chunks the newest come first', async ({ store: { memory } }) => {
    await put(memory, 'old.md', ['tea'], START_AT)
    await put(memory, 'new.md', ['green tea'], START_AT + 1)
    await give(memory, { tea: [1, 0], 'green tea': [1, 0] })
    assert.deepEqual(await textsNear(memory, [1, 0]), ['green tea', 'tea'])
  }),

  storeCase('only chunks of the kinds asked for are near', async ({ store: { memory } }) => {
    await memory.put({ name: 'MEMORY.md', updatedAt: START_AT, text: '' }, [
      { kind: 'instruction', line: 1, text: 'Answer in French.' },
      { kind: 'note', line: 2, text: 'Paris' },
    ])
    await give(memory, { 'Answer in French.': [1, 0], Paris: [1, 1] })
    assert.deepEqual(await textsNear(memory, [1, 0], { kinds: ['note', 'fact'] }), ['Paris'])
    assert.deepEqual(await textsNear(memory, [1, 0], { kinds: [] }), [])
  }),

  storeCase('vectors of another model, or of another length, find nothing', async ({ store: { memory } }) => {
    await put(memory, 'MEMORY.md', ['tea', 'coffee', 'water'])
    await give(memory, { tea: [1, 0], coffee: [1, 0, 0] })
    assert.deepEqual(await textsNear(memory, [1, 0]), ['tea'])
    assert.deepEqual(await textsNear(memory, [1, 0], { model: 'local/other' }), [])
    await memory.putVectors('local/other', [{ text: 'water', vector: [1, 0] }])
    assert.deepEqual(await textsNear(memory, [1, 0], { model: 'local/other' }), ['water'])
    assert.deepEqual(await textsNear(memory, [1, 0]), ['tea'])
  }),

  storeCase('texts without a vector are listed, each once, the newest first', async ({ store: { memory } }) => {
    assert.deepEqual(await memory.listWithoutVector(MODEL), [])
    await put(memory, 'old.md', ['tea', 'coffee'], START_AT)
    await put(memory, 'new.md', ['water', 'tea'], START_AT + 1)
    const listed = await memory.listWithoutVector(MODEL)
    assert.deepEqual(listed.slice(0, 2).toSorted(), ['tea', 'water'])
    assert.deepEqual(listed.slice(2), ['coffee'])
    assert.equal((await memory.listWithoutVector(MODEL, 2)).length, 2)
    await give(memory, { tea: [1, 0], water: [0, 1] })
    assert.deepEqual(await memory.listWithoutVector(MODEL), ['coffee'])
    assert.equal((await memory.listWithoutVector('local/other')).length, 3)
  }),

  storeCase('a document that is put anew keeps the vectors of texts that stay', async ({ store: { memory } }) => {
    await put(memory, 'MEMORY.md', ['tea', 'coffee'])
    await give(memory, { tea: [1, 0], coffee: [0, 1] })
    await put(memory, 'MEMORY.md', ['# Drinks', 'tea', 'water'], START_AT + 1)
    const [hit] = await memory.searchNear({ model: MODEL, vector: [1, 0] })
    assert.deepEqual([hit?.text, hit?.line, hit?.updatedAt], ['tea', 2, START_AT + 1])
    assert.deepEqual((await memory.listWithoutVector(MODEL)).toSorted(), ['# Drinks', 'water'])
    await memory.append({ name: 'MEMORY.md', updatedAt: START_AT, text: '\ntea again' }, [
      { kind: 'fact', line: 2, text: 'tea again' },
    ])
    assert.deepEqual(await textsNear(memory, [1, 0]), ['tea'])
  }),

  storeCase('a vector serves every chunk of its text and goes with the last one', async ({ store: { memory } }) => {
    await put(memory, 'a.md', ['tea'])
    await put(memory, 'b.md', ['tea'])
    await give(memory, { tea: [1, 0] })
    assert.deepEqual(await textsNear(memory, [1, 0]), ['tea', 'tea'])
    await memory.delete('a.md')
    assert.deepEqual(await textsNear(memory, [1, 0]), ['tea'])
    await put(memory, 'b.md', [])
    await put(memory, 'c.md', ['tea'])
    assert.deepEqual(await memory.listWithoutVector(MODEL), ['tea'])
    await give(memory, { tea: [1, 0] })
    await memory.delete('c.md')
    await put(memory, 'd.md', ['tea'])
    assert.deepEqual(await memory.listWithoutVector(MODEL), ['tea'])
  }),

  storeCase('vectors replace earlier ones, and those of unknown texts are passed over', async ({ store }) => {
    const { memory } = store
    await put(memory, 'MEMORY.md', ['tea\u0000 \ud800', 'coffee'])
    await give(memory, { 'tea\u0000 \ud800': [1, 0], coffee: [1, 0], gone: [1, 0] })
    await give(memory, { coffee: [0, 1] })
    await memory.putVectors(MODEL, [])
    assert.deepEqual(await textsNear(memory, [1, 0]), ['tea  \ufffd', 'coffee'])
    assert.deepEqual(await textsNear(memory, [0, 1]), ['coffee', 'tea  \ufffd'])
    await put(memory, 'late.md', ['gone'])
    assert.deepEqual(await memory.listWithoutVector(MODEL), ['gone'])
  }),

  storeCase('what is no vector is refused, and with it all that came along', async ({ store: { memory } }) => {
    await put(memory, 'MEMORY.md', ['tea', 'coffee'])
    for (const vector of [[], [NaN, 1], [Infinity], [1e300, 1e300]]) {
      await expectCode('invalid', () => give(memory, { tea: [1, 0], coffee: vector }))
      await expectCode('invalid', () => memory.searchNear({ model: MODEL, vector }))
    }
    await expectCode('invalid', () => memory.putVectors('', [{ text: 'tea', vector: [1] }]))
    assert.equal((await memory.listWithoutVector(MODEL)).length, 2)
  }),

  storeCase('vectors are not part of a dump: they are made anew', async ({ store, openOther }) => {
    await put(store.memory, 'MEMORY.md', ['tea'])
    await give(store.memory, { tea: [1, 0] })
    const other = await openOther()
    await other.load(store.dump())
    assert.deepEqual(await other.memory.listWithoutVector(MODEL), ['tea'])
  }),
]

export const sharedMemoryVectorCases = [
  sharedStoreCase('vectors outlive the store and serve others', async ({ store, openAgain }) => {
    await put(store.memory, 'MEMORY.md', ['tea', 'coffee'])
    const other = await openAgain()
    await Promise.all([
      give(store.memory, { tea: [1, 0], coffee: [0, 1] }),
      give(other.memory, { coffee: [0, 1], tea: [1, 0] }),
    ])
    assert.deepEqual(await textsNear(other.memory, [1, 0]), ['tea', 'coffee'])
    await other.memory.delete('MEMORY.md')
    assert.deepEqual(await textsNear(store.memory, [1, 0]), [])
    await store.close()
    assert.deepEqual(await (await openAgain()).check(), [])
  }),
]
