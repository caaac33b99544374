import assert from 'node:assert/strict'
import { foldHead } from '../../records/describe-session.ts'
import { assistant, compaction, numberLines, settings, toolCall, toolResult, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal, expectSameBytes } from '../expectations.ts'
import { createSession, startSession, takeSession } from '../session-writer.ts'

export const entryCases = [
  storeCase('an append stores entries and head in one step', async ({ store }) => {
    const writer = await startSession(store, 's1', user('What is in it?'))
    const written = await writer.write([
      toolCall('read_file', { path: 'a.txt' }),
      toolResult('words'),
      assistant('Words.'),
    ])
    assert.deepEqual(
      written.map(({ seq }) => seq),
      [2, 3, 4],
    )
    const all = await store.entries.read('s1', {})
    expectSameBytes(all.slice(1), written)
    const session = await store.sessions.get('s1')
    expectSameBytes(session?.head, writer.getHead())
    assert.deepEqual(session?.head, foldHead(all))
  }),

  storeCase('SPEC-01 totals of tokens, cost and messages are those of the head', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'))
    await writer.write([assistant('two', { input: 100, output: 20, cacheRead: 60, costUsd: 0.001 })])
    await writer.write([user('three'), assistant('four', { input: 150, output: 30, costUsd: 0.002 })])
    await writer.write([compaction(2)])
    const head = (await store.sessions.get('s1'))?.head
    assert.deepEqual(
      { ...head?.totals, costUsd: head?.totals.costUsd.toFixed(6) },
      {
        messages: 4,
        inputTokens: 1_150,
        outputTokens: 130,
        costUsd: '0.005000',
        unpricedCalls: 0,
      },
    )
    assert.equal(head?.compactionCount, 1)
  }),

  storeCase('ONE-02 a compaction is one step: summary, boundary and counters together', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'), assistant('two'), user('three'), assistant('four'))
    const [stored] = await writer.write([compaction(3, 'One and two.')])
    const head = (await store.sessions.get('s1'))?.head
    assert.deepEqual([head?.base.kind, head?.base.fromSeq, head?.base.summary], ['compaction', 3, { id: 'e5', seq: 5 }])
    assert.equal(head?.epoch, 5)
    assert.deepEqual(await store.entries.readAt('s1', [5]), [stored])
    assert.deepEqual(await store.entries.find('s1', 'e5'), stored)
  }),

  storeCase('ONE-03 messages are the same bytes after compactions, undo, trim, prune and reset', async ({ store }) => {
    const lines = [user('one'), assistant('two'), toolCall('list', { b: 1, a: 2 }), toolResult('three'), user('four')]
    const writer = await startSession(store, 's1', ...lines)
    const before = await store.entries.read('s1', {})
    await writer.write([
      {
        type: 'prune',
        reason: 'age',
        decisions: [{ entry: { id: 'e4', seq: 4 }, part: 0, form: 'cleared', placeholder: '[gone]' }],
      },
    ])
    await writer.write([compaction(3)])
    await writer.write([compaction(5, 'More.', 7)])
    await writer.write([{ type: 'compaction-undone', compaction: 'e8' }])
    await writer.write([{ type: 'reset' }])
    expectSameBytes(await store.entries.read('s1', { to: 5 }), before)
  }),

  storeCase('OPEN-02 after a reset the context is empty and the old transcript readable', async ({ store }) => {
    const writer = await startSession(store, 's1', user('old words'), assistant('old answer'))
    await writer.write([{ type: 'reset' }])
    const head = (await store.sessions.get('s1'))?.head
    assert.deepEqual([head?.base.kind, head?.base.fromSeq], ['reset', 4])
    assert.equal((await store.entries.read('s1', { from: head?.base.fromSeq ?? 0 })).length, 0)
    assert.equal((await store.entries.read('s1', {})).length, 3)
    assert.equal((await store.search.search({ query: 'old answer', sessionId: 's1' })).length, 2)
  }),

  storeCase('seq continues without a gap, or nothing is stored', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'), user('two'))
    const { lease } = writer
    const all = numberLines([user('1'), user('2'), user('3'), user('4'), user('5')])
    const tail = (from: number, to: number) => ({
      lease,
      entries: all.slice(from, to),
      head: foldHead(all.slice(0, to)),
    })
    await expectRefusal(store, 'out-of-order', () => store.entries.append(tail(3, 4)))
    await expectRefusal(store, 'out-of-order', () => store.entries.append(tail(1, 2)))
    await expectRefusal(store, 'out-of-order', () => store.entries.append(tail(0, 5)))
    const [third, , fifth] = all.slice(2)
    assert.ok(third !== undefined && fifth !== undefined)
    await expectRefusal(store, 'out-of-order', () =>
      store.entries.append({ lease, entries: [third, fifth], head: foldHead(all) }),
    )
    await store.entries.append(tail(2, 5))
    assert.deepEqual(
      (await store.entries.read('s1', {})).map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    )
  }),

  storeCase('a head that ends elsewhere than its entries is refused', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'))
    const append = writer.plan(user('two'))
    await expectRefusal(store, 'invalid', () => store.entries.append({ ...append, head: writer.getHead() }))
  }),

  storeCase('an id is used once in a session, and may be used in another', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'))
    await createSession(store, 's2', user('one of another session'))
    await expectRefusal(store, 'id-conflict', () => store.entries.append(writer.plan(user('again', 'e1'))))
    await expectRefusal(store, 'id-conflict', () => store.entries.append(writer.plan(user('a', 'x'), user('b', 'x'))))
    await expectRefusal(store, 'invalid', () => store.entries.append(writer.plan(user('two', 'a\u0007b'))))
    await writer.write([user('two')])
    assert.equal((await store.entries.find('s1', 'e1'))?.seq, 1)
    assert.equal(await store.entries.find('s2', 'e2'), null)
    assert.equal(await store.entries.find('s2', '\u0000'), null)
  }),

  storeCase('prepared work is refused once the base has moved or the model has changed', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'), assistant('two'), user('three'))
    const { epoch } = writer.getHead()
    await writer.write([user('said meanwhile')])
    await writer.write([compaction(3)], { epoch })
    await expectRefusal(store, 'epoch-passed', () => store.entries.append({ ...writer.plan(compaction(2)), epoch }))
    const second = writer.getHead().epoch
    await writer.write([{ type: 'model-change', model: 'other' }])
    await expectRefusal(store, 'epoch-passed', () =>
      store.entries.append({ ...writer.plan(compaction(4, 'x', 5)), epoch: second }),
    )
    await writer.write([compaction(4, 'x', 5)], { epoch: writer.getHead().epoch })
    assert.equal((await store.sessions.get('s1'))?.head.compactionCount, 2)
  }),

  storeCase('an append without entries settles what it names', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'))
    await store.inbox.put({ sessionId: 's1', id: 'i1', at: 1, kind: 'cancel', payload: {} })
    const before = await store.sessions.get('s1')
    await writer.write([], { settles: ['i1'] })
    assert.deepEqual(await store.inbox.list('s1'), [])
    assert.deepEqual(await store.sessions.get('s1'), before)
  }),

  storeCase('entries are read by range, from either end', async ({ store }) => {
    await createSession(store, 's1', ...Array.from({ length: 12 }, (_, index) => user(`message ${index + 1}`)))
    const seqs = async (range: Parameters<typeof store.entries.read>[1]) =>
      (await store.entries.read('s1', range)).map(({ seq }) => seq)
    assert.deepEqual(await seqs({ from: 10 }), [10, 11, 12])
    assert.deepEqual(await seqs({ to: 2 }), [1, 2])
    assert.deepEqual(await seqs({ from: 4, to: 6 }), [4, 5, 6])
    assert.deepEqual(await seqs({ from: 4, to: 10, limit: 2 }), [4, 5])
    assert.deepEqual(await seqs({ from: 4, to: 10, limit: 2, fromEnd: true }), [9, 10])
    assert.deepEqual(await seqs({ limit: 3, fromEnd: true }), [10, 11, 12])
    assert.deepEqual(await seqs({ fromEnd: true, from: 11 }), [11, 12])
    assert.deepEqual(await seqs({ limit: 0 }), [1])
    assert.deepEqual(await seqs({ from: -7, to: 1 }), [1])
    assert.deepEqual(await seqs({ from: 6, to: 4 }), [])
    assert.deepEqual(await seqs({ from: 13 }), [])
  }),

  storeCase('entries are read by number, in order, each once', async ({ store }) => {
    await createSession(store, 's1', ...Array.from({ length: 6 }, (_, index) => user(`message ${index + 1}`)))
    const seqs = async (wanted: readonly number[]) => (await store.entries.readAt('s1', wanted)).map(({ seq }) => seq)
    assert.deepEqual(await seqs([5, 2, 2, 99, 0, -1]), [2, 5])
    assert.deepEqual(await seqs([]), [])
    assert.deepEqual(await seqs(Array.from({ length: 3_000 }, (_, index) => index)), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await store.entries.readAt('nobody', [1]), [])
  }),

  storeCase('a long transcript is stored and read whole', async ({ store }) => {
    const lines = Array.from({ length: 2_500 }, (_, index) =>
      index % 2 === 0 ? user(`question ${index}`) : assistant(`answer ${index}`),
    )
    await createSession(store, 's1', ...lines.slice(0, 1_200))
    const writer = await takeSession(store, 's1')
    await writer.write(lines.slice(1_200))
    const all = await store.entries.read('s1', {})
    assert.equal(all.length, 2_500)
    assert.deepEqual(foldHead(all), (await store.sessions.get('s1'))?.head)
  }),

  storeCase('what a caller does to its objects later changes nothing that is stored', async ({ store }) => {
    const input = { path: 'a.txt' }
    const writer = await startSession(store, 's1', settings({ title: 'before' }))
    await writer.write([toolCall('read_file', input)])
    input.path = 'changed'
    const [read] = await store.entries.read('s1', { from: 2 })
    assert.match(JSON.stringify(read), /a\.txt/)
    Object.assign(read ?? {}, { id: 'changed' })
    assert.equal((await store.entries.find('s1', 'e2'))?.id, 'e2')
  }),
]
