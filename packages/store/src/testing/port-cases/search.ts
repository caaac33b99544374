import assert from 'node:assert/strict'
import type { SearchQuery } from '../../port/search.ts'
import type { Store } from '../../port/store.ts'
import { START_AT, assistant, thought, toolCall, toolResult, user } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { createSession, startSession } from '../session-writer.ts'

/** What is said, and what asks for it. */
const FINDS: readonly (readonly [what: string, text: string, queries: readonly string[]])[] = [
  ['words in any case', 'The Rhine flows north', ['rhine', 'RHINE', 'Flows', 'north rhine']],
  [
    'accents or none',
    'Ein Café in Zürich, señor; naïve Øresund',
    ['cafe', 'CAFÉ', 'zurich', 'Zürich', 'senor', 'naive'],
  ],
  ['composed or not', 'cafe\u0301 crème', ['café', 'creme', 'cre\u0300me']],
  ['German, Russian, Greek and Turkish', 'Straße Москва Αθήνα İstanbul', ['straße', 'москва', 'αθηνα', 'istanbul']],
  ['Arabic, Hebrew and Hindi', 'مرحبا بالعالم שלום עולם नमस्ते दुनिया', ['مرحبا', 'שלום', 'नमस्ते']],
  ['Chinese of one character and more', '我昨天去了北京大学图书馆', ['北', '北京', '北京大', '图书馆', '昨天去了北京']],
  ['Japanese', '東京タワーに行きました。', ['東京', 'タワー', '行きました', '東京タワーに']],
  ['half-width kana', 'ﾀﾜｰとｶﾞｽ', ['タワー', 'ガス']],
  ['what a question in Chinese asks for', '我昨天去了北京大学图书馆', ['图书馆几点开门？', '请问北京大学在哪里']],
  ['Korean', '서울에서 만나요', ['만나요', '서울에서']],
  ['Thai', 'สวัสดีชาวโลก', ['สวัสดี', 'โลก']],
  ['scripts mixed in one word', 'iPhone手机 第3章 v2版本', ['iphone', '手机', 'iphone手机', '第3章', 'v2']],
  [
    'names in code',
    'const parseEntry = read_file(store.sessions)',
    ['parseEntry', 'read_file', 'store.sessions', 'parseentry'],
  ],
  ['paths and numbers', 'see packages/store/src/index.ts:42 and 3.14', ['packages/store', 'index.ts', '42', '3.14']],
  ['letters of other shapes', 'ＦＵＬＬ ｗｉｄｔｈ ﬁle ①', ['full', 'width', 'file']],
]

/** Characters that mean something to query languages, and words that do. */
const OPERATORS = [
  '"',
  '*',
  '(',
  ')',
  ':',
  '-',
  '^',
  '+',
  '&',
  '|',
  '!',
  "'",
  '\\',
  '<->',
  '%',
  '_',
  '""',
  '{}',
  '[',
  '~',
  '…',
  '。',
  '🦊',
]

export const searchCases = [
  ...FINDS.map(([what, text, queries]) =>
    storeCase(`search finds ${what}`, async ({ store }) => {
      await createSession(store, 's1', user('nothing of interest'), user(text), assistant('still nothing'))
      for (const query of queries) assert.deepEqual(await findSeqs(store, { query }), [2], query)
    }),
  ),

  storeCase('search does not find what only looks alike', async ({ store }) => {
    await createSession(store, 's1', user('東京 and 大阪、コーヒー、カス'), user('category'), user('ดี มา'))
    for (const query of ['京東', '東大', 'タワー', 'ガス', 'cat', 'gory', 'ดุ', 'ม้า', '北'])
      assert.deepEqual(await findSeqs(store, { query }), [], query)
  }),

  storeCase('what holds no word finds nothing, and no operator does harm', async ({ store }) => {
    await createSession(store, 's1', user('alpha beta'), user('near the and or not'))
    for (const query of ['', ' ', '\n\t', '\u0000', '\ud800', ...OPERATORS, OPERATORS.join(' ')]) {
      assert.deepEqual(await findSeqs(store, { query }), [], query)
    }
    for (const operator of OPERATORS) {
      assert.deepEqual(await findSeqs(store, { query: `${operator} alpha` }), [1])
      assert.deepEqual(await findSeqs(store, { query: `${operator}alpha` }), [1])
      assert.deepEqual(await findSeqs(store, { query: `alpha${operator}` }), [1])
    }
    for (const query of [
      'alpha AND gamma',
      'alpha OR gamma',
      'alpha NOT gamma',
      'NEAR(alpha, 2)',
      'text:alpha',
      'alpha*',
    ]) {
      assert.ok((await findSeqs(store, { query })).includes(1), query)
    }
    assert.deepEqual(await findSeqs(store, { query: 'alpha -beta' }), [1])
    assert.deepEqual(await findSeqs(store, { query: 'x '.repeat(10_000) }), [])
  }),

  storeCase(
    'search finds what was said, asked of tools and answered by them, not what was thought',
    async ({ store }) => {
      await createSession(
        store,
        's1',
        user('walrus'),
        assistant('walrus'),
        toolCall('walrus_count', { where: 'the beach' }),
        toolResult('walrus: 3'),
        thought('walrus'),
        { type: 'pin', text: 'walrus' },
      )
      assert.deepEqual(inOrder(await findSeqs(store, { query: 'walrus' })), [1, 2, 3, 4])
      assert.deepEqual(await findSeqs(store, { query: 'beach' }), [3])
    },
  ),

  storeCase('a hit says where it stands', async ({ store }) => {
    const long = `${'before '.repeat(300)} the needle is here ${'after '.repeat(300)}`
    await createSession(store, 's1', user('hay'), assistant(long))
    const [hit] = await store.search.search({ query: 'needle' })
    const { snippet, score, ...place } = hit ?? assert.fail('Nothing was found.')
    assert.deepEqual(place, { sessionId: 's1', entryId: 'e2', seq: 2, at: START_AT + 2_000, role: 'assistant' })
    assert.match(snippet, /before the needle is here after/)
    assert.ok(snippet.length <= 210)
    assert.ok(Number.isFinite(score))
  }),

  storeCase('a snippet shows the match, also in a text without spaces', async ({ store }) => {
    const text = `${'前文は長い。'.repeat(2_000)}鍵は植木鉢の下です。${'後文も長い。'.repeat(2_000)}`
    await createSession(store, 's1', user(text))
    const [hit] = await store.search.search({ query: '植木鉢' })
    assert.match(hit?.snippet ?? '', /鍵は植木鉢の下です/)
    assert.ok((hit?.snippet ?? '').length <= 210)
  }),

  storeCase('messages that hold more of the words come first', async ({ store }) => {
    await createSession(
      store,
      's1',
      user('the ferry is blue and old'),
      user('the ferry leaves the harbour'),
      user('the harbour is closed today'),
      user('something else entirely, said at length'),
    )
    const hits = await store.search.search({ query: 'ferry harbour' })
    assert.equal(hits[0]?.seq, 2)
    assert.deepEqual(inOrder(hits.map(({ seq }) => seq)), [1, 2, 3])
    const scores = hits.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((first, second) => second - first),
    )
  }),

  storeCase('search is narrowed to a session, and to what came before', async ({ store }) => {
    await createSession(store, 's1', user('walrus one'), user('walrus two'), user('walrus three'))
    await createSession(store, 's2', user('walrus four'))
    assert.equal((await store.search.search({ query: 'walrus' })).length, 4)
    assert.deepEqual(inOrder(await findSeqs(store, { query: 'walrus', sessionId: 's1' })), [1, 2, 3])
    assert.deepEqual(inOrder(await findSeqs(store, { query: 'walrus', sessionId: 's1', before: 3 })), [1, 2])
    assert.deepEqual(await findSeqs(store, { query: 'walrus', sessionId: 'nobody' }), [])
    assert.equal((await store.search.search({ query: 'walrus', limit: 2 })).length, 2)
    assert.equal((await store.search.search({ query: 'walrus', limit: 0 })).length, 1)
  }),

  storeCase('hidden sessions are searched only by name', async ({ store }) => {
    await createSession(store, 's1', user('walrus'))
    await store.sessions.setDeleted('s1', START_AT)
    assert.deepEqual(await findSeqs(store, { query: 'walrus' }), [])
    assert.deepEqual(await findSeqs(store, { query: 'walrus', sessionId: 's1' }), [1])
    await store.sessions.setDeleted('s1', null)
    assert.deepEqual(await findSeqs(store, { query: 'walrus' }), [1])
  }),

  storeCase('what is appended is found at once', async ({ store }) => {
    const writer = await startSession(store, 's1', user('hello'))
    assert.deepEqual(await findSeqs(store, { query: 'walrus' }), [])
    await writer.write([assistant('a walrus')])
    assert.deepEqual(await findSeqs(store, { query: 'walrus' }), [2])
  }),

  storeCase('the index can be made anew', async ({ store }) => {
    await createSession(store, 's1', user('walrus one'), thought('not indexed'), user('?!'), assistant('walrus two'))
    await createSession(store, 's2', user('walrus three'), { type: 'reset' })
    const before = await store.search.search({ query: 'walrus' })
    assert.equal(await store.search.rebuild(), 3)
    assert.equal(await store.search.rebuild(), 3)
    assert.deepEqual(await store.search.search({ query: 'walrus' }), before)
    await assert.rejects(store.search.rebuild(AbortSignal.abort()))
    assert.equal((await findSeqs(store, { query: 'walrus' })).length, 3)
  }),
]

async function findSeqs(store: Store, query: SearchQuery): Promise<readonly number[]> {
  return (await store.search.search(query)).map(({ seq }) => seq)
}

function inOrder(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((first, second) => first - second)
}
