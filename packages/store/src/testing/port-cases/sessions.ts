import assert from 'node:assert/strict'
import { foldHead } from '../../records/describe-session.ts'
import { START_AT, assistant, compaction, numberLines, settings, thought, toolResult, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal, expectSameBytes } from '../expectations.ts'
import { createSession, startSession, takeLease } from '../session-writer.ts'

export const sessionCases = [
  storeCase(
    'ONE-02 a session begins with the head, title and preview of the entries it is created with',
    async ({ store }) => {
      const entries = numberLines([
        settings({ title: 'Rivers' }),
        user('How long is the Rhine?'),
        assistant('1,230 km.'),
      ])
      const header = { agent: 'guide', zebra: 1, apple: { ['__proto__']: 2 } }
      const created = await store.sessions.create({ id: 's1', createdAt: START_AT, header, entries })
      assert.deepEqual(created, {
        id: 's1',
        createdAt: START_AT,
        updatedAt: START_AT + 3_000,
        deletedAt: null,
        title: 'Rivers',
        preview: '1,230 km.',
        header,
        head: foldHead(entries),
      })
      const stored = await store.sessions.get('s1')
      assert.deepEqual(stored, created)
      expectSameBytes(stored?.head, foldHead(entries))
      expectSameBytes(stored?.header, header)
    },
  ),

  storeCase('a session can begin empty', async ({ store }) => {
    await store.sessions.create({ id: 'empty', createdAt: START_AT })
    assert.deepEqual(await store.sessions.get('empty'), {
      id: 'empty',
      createdAt: START_AT,
      updatedAt: START_AT,
      deletedAt: null,
      title: null,
      preview: null,
      header: {},
      head: foldHead([]),
    })
    assert.deepEqual(await store.entries.read('empty', {}), [])
  }),

  storeCase('ONE-02 the title is the one of the header until the settings name another', async ({ store }) => {
    await store.sessions.create({ id: 's1', createdAt: START_AT, header: { title: 'Imported' } })
    assert.equal((await store.sessions.get('s1'))?.title, 'Imported')
    const lease = await store.leases.acquire('s1', { id: 'a', host: 'elsewhere', pid: 1, startedAt: '1' })
    assert.ok(lease.ok)
    const entries = numberLines([settings({ title: 'Mine 東京 🦊' })])
    await store.entries.append({ lease: lease.lease, entries, head: foldHead(entries) })
    assert.equal((await store.sessions.get('s1'))?.title, 'Mine 東京 🦊')
  }),

  storeCase('ONE-02 the preview is the start of the newest text of the user or the model', async ({ store }) => {
    const writer = await startSession(store, 's1', user('First  question\nover two lines'))
    const preview = async () => (await store.sessions.get('s1'))?.preview
    assert.equal(await preview(), 'First question over two lines')
    await writer.write([thought('Let me think.'), toolResult('a file')])
    assert.equal(await preview(), 'First question over two lines')
    await writer.write([assistant(`Answer ${'x'.repeat(5_000)}`)])
    const long = await preview()
    assert.ok(long?.startsWith('Answer xxx') === true && long.length <= 200)
    await writer.write([compaction(2)])
    assert.equal(await preview(), long)
  }),

  storeCase('ONE-02 updatedAt moves with every append, a compaction too, and never backwards', async ({ store }) => {
    const writer = await startSession(store, 's1', user('one'), assistant('two'))
    const updatedAt = async () => (await store.sessions.get('s1'))?.updatedAt
    await writer.write([compaction(2)])
    assert.equal(await updatedAt(), START_AT + 3_000)
    await writer.write([{ ...user('from a clock that is late'), at: 5 }])
    assert.equal(await updatedAt(), START_AT + 3_000)
    await writer.write([user('three')])
    assert.equal(await updatedAt(), START_AT + 5_000)
  }),

  storeCase('an id is taken for good while its session is there, hidden or not', async ({ store }) => {
    await createSession(store, 's1', user('mine'))
    const again = () => store.sessions.create({ id: 's1', createdAt: START_AT, entries: numberLines([user('other')]) })
    await expectRefusal(store, 'id-conflict', again)
    await store.sessions.setDeleted('s1', START_AT)
    await expectRefusal(store, 'id-conflict', again)
  }),

  storeCase('what cannot be a session is refused whole', async ({ store }) => {
    const [first, second] = numberLines([user('a'), user('b')])
    assert.ok(first !== undefined && second !== undefined)
    await expectRefusal(store, 'invalid', () => store.sessions.create({ id: '', createdAt: START_AT }))
    await expectRefusal(store, 'invalid', () => store.sessions.create({ id: 'a\u0000b', createdAt: START_AT }))
    await expectRefusal(store, 'invalid', () => store.sessions.create({ id: 'x'.repeat(201), createdAt: START_AT }))
    await expectRefusal(store, 'invalid', () => store.sessions.create({ id: 's1', createdAt: Number.NaN }))
    await expectRefusal(store, 'out-of-order', () =>
      store.sessions.create({ id: 's1', createdAt: START_AT, entries: [first, { ...second, seq: 3 }] }),
    )
    await expectRefusal(store, 'out-of-order', () =>
      store.sessions.create({ id: 's1', createdAt: START_AT, entries: [second] }),
    )
    await expectRefusal(store, 'id-conflict', () =>
      store.sessions.create({ id: 's1', createdAt: START_AT, entries: [first, { ...second, id: first.id }] }),
    )
    await expectRefusal(store, 'id-conflict', () =>
      store.sessions.create({
        id: 's1',
        createdAt: START_AT,
        entries: [first, second],
        artifacts: [
          { id: 'same', content: 'one' },
          { id: 'same', content: 'two' },
        ],
      }),
    )
    assert.equal(await store.sessions.get('s1'), null)
  }),

  storeCase('an id that cannot exist is not found, and no error', async ({ store }) => {
    for (const id of ['', 'nobody', 'a\u0000b', '\ud800', "'; DROP TABLE sessions; --", '__proto__', 'constructor']) {
      assert.equal(await store.sessions.get(id), null)
      assert.deepEqual(await store.entries.read(id, {}), [])
      assert.deepEqual(await store.inbox.list(id), [])
    }
  }),

  storeCase('ids of any script and of odd shapes keep apart', async ({ store }) => {
    const ids = [
      'a',
      'A',
      'ä',
      'a\u0308',
      'a ',
      ' a',
      '__proto__',
      'constructor',
      '%',
      '_',
      '東京',
      '🦊',
      "o'neil",
      'a/../b',
    ]
    for (const id of ids) await createSession(store, id, user(`says ${id}`))
    for (const id of ids) {
      assert.equal((await store.sessions.get(id))?.id, id)
      assert.equal((await store.sessions.get(id))?.preview, `says ${id}`.trim().replaceAll(/\s+/g, ' '))
    }
    assert.equal((await store.sessions.list({})).items.length, ids.length)
  }),

  storeCase('hiding an unknown session is refused, purging one is no error', async ({ store }) => {
    await expectRefusal(store, 'not-found', () => store.sessions.setDeleted('nobody', START_AT))
    await expectRefusal(store, 'not-found', () => store.sessions.setDeleted('nobody', null))
    await store.sessions.purge('nobody')
  }),

  storeCase('ONE-02 a hidden session keeps all it has, and can be shown again', async ({ store }) => {
    const writer = await startSession(store, 's1', user('keep me'))
    const before = await store.sessions.get('s1')
    await store.sessions.setDeleted('s1', START_AT + 9)
    assert.deepEqual(await store.sessions.get('s1'), { ...before, deletedAt: START_AT + 9 })
    assert.equal((await store.entries.read('s1', {})).length, 1)
    await writer.write([assistant('Its owner may finish what it was at.')])
    await store.leases.release(writer.lease)
    await takeLease(store, 's1', 'another')
    await store.sessions.setDeleted('s1', null)
    assert.equal((await store.sessions.get('s1'))?.deletedAt, null)
    assert.equal((await store.entries.read('s1', {})).length, 2)
  }),
]
