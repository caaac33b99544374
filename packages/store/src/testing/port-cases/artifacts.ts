import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { START_AT, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectRefusal } from '../expectations.ts'
import { createSession } from '../session-writer.ts'

export const artifactCases = [
  storeCase('LH-02 a full tool output comes back whole', async ({ store }) => {
    await createSession(store, 's1')
    const content = `line one\r\nline two \u0000 ünïcödé 東京 🦊\n${'0123456789'.repeat(100_000)}`
    const info = await store.artifacts.put({ sessionId: 's1', id: 'output-1', at: START_AT, content })
    assert.deepEqual(info, {
      id: 'output-1',
      at: START_AT,
      bytes: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    assert.equal(await store.artifacts.read('s1', 'output-1'), content)
    assert.deepEqual(await store.artifacts.list('s1'), [info])
  }),

  storeCase('LH-02 without a name it is named after its content', async ({ store }) => {
    await createSession(store, 's1')
    const put = (content: string) => store.artifacts.put({ sessionId: 's1', at: START_AT, content })
    const [first, again, other] = [await put('one'), await put('one'), await put('two')]
    assert.equal(first.id, again.id)
    assert.notEqual(first.id, other.id)
    assert.equal(await store.artifacts.read('s1', first.id), 'one')
    assert.equal((await store.artifacts.list('s1')).length, 2)
  }),

  storeCase('LH-02 an empty output is one too', async ({ store }) => {
    await createSession(store, 's1')
    const { id, bytes } = await store.artifacts.put({ sessionId: 's1', at: START_AT, content: '' })
    assert.equal(bytes, 0)
    assert.equal(await store.artifacts.read('s1', id), '')
  }),

  storeCase('half a character is replaced', async ({ store }) => {
    await createSession(store, 's1')
    await store.artifacts.put({ sessionId: 's1', id: 'x', at: START_AT, content: 'a\ud800b' })
    assert.equal(await store.artifacts.read('s1', 'x'), 'a\ufffdb')
  }),

  storeCase('a name keeps its content', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    await store.artifacts.put({ sessionId: 's1', id: 'x', at: START_AT, content: 'one' })
    await expectRefusal(store, 'id-conflict', () =>
      store.artifacts.put({ sessionId: 's1', id: 'x', at: START_AT + 1, content: 'two' }),
    )
    await store.artifacts.put({ sessionId: 's2', id: 'x', at: START_AT, content: 'two' })
    assert.equal(await store.artifacts.read('s1', 'x'), 'one')
    assert.equal(await store.artifacts.read('s2', 'x'), 'two')
  }),

  storeCase('only a session that holds an artifact can read it', async ({ store }) => {
    await createSession(store, 's1')
    await createSession(store, 's2')
    const { id } = await store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'secret' })
    assert.equal(await store.artifacts.read('s2', id), null)
    assert.deepEqual(await store.artifacts.list('s2'), [])
    await store.artifacts.put({ sessionId: 's2', at: START_AT, content: 'secret' })
    assert.equal(await store.artifacts.read('s2', id), 'secret')
  }),

  storeCase('odd names are names and nothing else', async ({ store }) => {
    await createSession(store, 's1')
    const ids = ['../../outside', '/etc/passwd', 'a/b', '..', 'C:\\x', '__proto__', '東京', "o'neil"]
    for (const id of ids) await store.artifacts.put({ sessionId: 's1', id, at: START_AT, content: `content of ${id}` })
    for (const id of ids) assert.equal(await store.artifacts.read('s1', id), `content of ${id}`)
    assert.equal(await store.artifacts.read('s1', 'a\u0000b'), null)
    await expectRefusal(store, 'invalid', () =>
      store.artifacts.put({ sessionId: 's1', id: 'a\u0000b', at: START_AT, content: 'x' }),
    )
  }),

  storeCase('artifacts of a session that is not there are refused', async ({ store }) => {
    await expectRefusal(store, 'not-found', () =>
      store.artifacts.put({ sessionId: 'nobody', at: START_AT, content: 'x' }),
    )
    assert.equal(await store.artifacts.read('nobody', 'x'), null)
    assert.deepEqual(await store.artifacts.list('nobody'), [])
  }),

  storeCase('LH-02 a session is created with its artifacts', async ({ store }) => {
    const artifacts = [
      { id: 'one', content: 'content of one' },
      { id: 'two', content: 'content of two' },
      { id: 'same as one', content: 'content of one' },
    ]
    await store.sessions.create({ id: 's1', createdAt: START_AT, artifacts })
    for (const { id, content } of artifacts) assert.equal(await store.artifacts.read('s1', id), content)
    const listed = await store.artifacts.list('s1')
    assert.deepEqual(listed.map(({ id }) => id).toSorted(), ['one', 'same as one', 'two'])
    assert.ok(listed.every(({ at }) => at === START_AT))
  }),

  storeCase('old artifacts are deleted, those put again or held by others are not', async ({ store }) => {
    await createSession(store, 's1', user('hi'))
    await createSession(store, 's2', user('hi'))
    const put = (sessionId: string, id: string, at: number, content: string) =>
      store.artifacts.put({ sessionId, id, at, content })
    await put('s1', 'old', START_AT, 'shared')
    await put('s2', 'new', START_AT + 10, 'shared')
    await put('s1', 'used-again', START_AT, 'again')
    assert.equal((await put('s1', 'used-again', START_AT + 10, 'again')).at, START_AT + 10)
    await put('s1', 'used-again', START_AT + 5, 'again')
    assert.equal(await store.artifacts.deleteBefore(START_AT + 10), 1)
    assert.equal(await store.artifacts.deleteBefore(START_AT + 10), 0)
    assert.equal(await store.artifacts.read('s1', 'old'), null)
    assert.equal(await store.artifacts.read('s2', 'new'), 'shared')
    assert.equal(await store.artifacts.read('s1', 'used-again'), 'again')
    await put('s1', 'old', START_AT + 20, 'other content under a name that is free again')
    assert.equal((await store.artifacts.list('s1')).length, 2)
    assert.deepEqual(await store.check(), [])
  }),
]
