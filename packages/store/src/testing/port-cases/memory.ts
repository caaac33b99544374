import assert from 'node:assert/strict'
import type { MemoryChunk, MemoryDocument, MemoryKind } from '../../port/memory.ts'
import { START_AT } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal } from '../expectations.ts'

function document(name: string, text: string, updatedAt = START_AT): MemoryDocument {
  return { name, updatedAt, text }
}

function chunk(text: string, line = 1, kind: MemoryKind = 'note'): MemoryChunk {
  return { kind, line, text }
}

export const memoryCases = [
  storeCase('a document is put, read, listed, replaced and deleted', async ({ store }) => {
    const first = document('MEMORY.md', 'Likes tea.\n\tTabs, "quotes" and 東京 🦊\r\n')
    await store.memory.put(first, [chunk('Likes tea.')])
    assert.deepEqual(await store.memory.get('MEMORY.md'), first)
    const second = document('MEMORY.md', 'Likes coffee.', START_AT + 1)
    await store.memory.put(second, [chunk('Likes coffee.')])
    await store.memory.put(document('memory/2026-11-15.md', ''), [])
    assert.deepEqual(await store.memory.get('MEMORY.md'), second)
    assert.deepEqual(
      (await store.memory.list()).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: 'MEMORY.md', updatedAt: START_AT + 1 },
        { name: 'memory/2026-11-15.md', updatedAt: START_AT },
      ],
    )
    assert.deepEqual(await store.memory.search({ query: 'tea' }), [])
    await store.memory.delete('MEMORY.md')
    await store.memory.delete('never there')
    assert.equal(await store.memory.get('MEMORY.md'), null)
    assert.equal(await store.memory.get('a\u0000b'), null)
    assert.deepEqual(await store.memory.search({ query: 'coffee' }), [])
    assert.equal((await store.memory.list()).length, 1)
  }),

  storeCase('what is no text in a memory is replaced', async ({ store }) => {
    await store.memory.put(document('a.md', 'tea\u0000 \ud800'), [chunk('tea\u0000 \ud800')])
    await store.memory.append(document('a.md', ' \udfff 🦊'), [])
    assert.equal((await store.memory.get('a.md'))?.text, 'tea  \ufffd \ufffd 🦊')
    assert.equal((await store.memory.search({ query: 'tea' }))[0]?.text, 'tea  \ufffd')
  }),

  storeCase('a name that cannot be one is refused', async ({ store }) => {
    await expectRefusal(store, 'invalid', () => store.memory.put(document('', 'x'), []))
    await expectRefusal(store, 'invalid', () => store.memory.append(document('a\u0000b', 'x'), []))
  }),

  storeCase('text is appended at the end, and lines of its chunks counted on', async ({ store }) => {
    assert.deepEqual(
      await store.memory.append(document('log.md', 'first\nsecond\n'), [chunk('first', 1), chunk('second', 2)]),
      document('log.md', 'first\nsecond\n'),
    )
    const now = await store.memory.append(document('log.md', 'third', START_AT + 5), [chunk('third', 1)])
    assert.deepEqual(now, document('log.md', 'first\nsecond\nthird', START_AT + 5))
    assert.deepEqual(await store.memory.get('log.md'), now)
    await store.memory.append(document('log.md', ' goes on\nfourth', START_AT + 9), [
      chunk('goes on', 1),
      chunk('fourth', 2),
    ])
    const lineOf = async (query: string) => (await store.memory.search({ query })).map(({ line }) => line)
    assert.deepEqual(await lineOf('first'), [1])
    assert.deepEqual(await lineOf('second'), [2])
    assert.deepEqual(await lineOf('third'), [3])
    assert.deepEqual(await lineOf('goes'), [3])
    assert.deepEqual(await lineOf('fourth'), [4])
  }),

  storeCase('many append to one document at the same time, and nothing is lost', async ({ store }) => {
    const names = Array.from({ length: 25 }, (_, index) => `note${index}`)
    await Promise.all(names.map((name) => store.memory.append(document('log.md', `${name}\n`), [chunk(name)])))
    const text = (await store.memory.get('log.md'))?.text ?? ''
    const lines = text.trimEnd().split('\n')
    assert.deepEqual(lines.toSorted(), names.toSorted())
    for (const name of names) {
      const [hit] = await store.memory.search({ query: name })
      assert.equal(hit?.line, lines.indexOf(name) + 1)
    }
  }),

  storeCase('a chunk is found by its words', async ({ store }) => {
    await store.memory.put(document('MEMORY.md', 'The café in 東京 closes at nine.\nUnrelated.'), [
      chunk('The café in 東京 closes at nine.', 1, 'fact'),
      chunk('Unrelated.', 2),
    ])
    const [hit, ...others] = await store.memory.search({ query: 'CAFE' })
    assert.deepEqual(others, [])
    const { score, ...rest } = hit ?? assert.fail('Nothing was found.')
    assert.deepEqual(rest, {
      kind: 'fact',
      line: 1,
      text: 'The café in 東京 closes at nine.',
      document: 'MEMORY.md',
      updatedAt: START_AT,
    })
    assert.ok(Number.isFinite(score))
    assert.equal((await store.memory.search({ query: '東京' })).length, 1)
    assert.equal((await store.memory.search({ query: '京東' })).length, 0)
    for (const query of ['"*():-', 'AND', 'NEAR(', '\u0000', 'danube']) {
      assert.deepEqual(await store.memory.search({ query }), [])
    }
  }),

  storeCase('chunks that hold more of the words come first', async ({ store }) => {
    await store.memory.put(document('a.md', ''), [
      chunk('the harbour is closed on sunday', 1),
      chunk('the ferry leaves the harbour at noon', 2),
      chunk('the ferry is blue and rather old', 3),
    ])
    const hits = await store.memory.search({ query: 'ferry harbour' })
    assert.equal(hits[0]?.line, 2)
    assert.equal(hits.length, 3)
    expectFalling(hits.map(({ score }) => score))
  }),

  storeCase('standing instructions are found by kind, whatever their words', async ({ store }) => {
    await store.memory.put(document('old.md', '', START_AT), [chunk('Always answer in French.', 4, 'instruction')])
    await store.memory.put(document('new.md', '', START_AT + 9), [
      chunk('Never push to main.', 1, 'instruction'),
      chunk('A note.', 2),
      chunk('Ask before deleting.', 3, 'instruction'),
      chunk('The sky is blue.', 4, 'fact'),
    ])
    const texts = async (query: Parameters<typeof store.memory.search>[0]) =>
      (await store.memory.search(query)).map(({ text }) => text)
    const instructions = ['Ask before deleting.', 'Never push to main.', 'Always answer in French.']
    assert.deepEqual(await texts({ query: '', kinds: ['instruction'] }), instructions)
    assert.deepEqual(await texts({ query: ' \n', kinds: ['instruction'] }), instructions)
    assert.deepEqual(await texts({ query: '', kinds: ['instruction'], limit: 2 }), instructions.slice(0, 2))
    assert.deepEqual(await texts({ query: '', kinds: ['fact', 'note'] }), ['The sky is blue.', 'A note.'])
    assert.equal((await texts({ query: '' })).length, 5)
    assert.deepEqual(await texts({ query: '', kinds: [] }), [])
    assert.deepEqual(await texts({ query: 'french', kinds: ['fact'] }), [])
    assert.deepEqual(await texts({ query: 'french', kinds: ['fact', 'instruction'] }), ['Always answer in French.'])
    assert.equal((await texts({ query: '', limit: 0 })).length, 1)
  }),
]

function expectFalling(scores: readonly number[]): void {
  assert.deepEqual(
    scores,
    scores.toSorted((first, second) => second - first),
  )
}
