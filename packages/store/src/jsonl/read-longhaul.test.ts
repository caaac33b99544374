import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'

const header = { type: 'session', version: 1, id: 's', createdAt: 100, title: 'Trip' }
const message = (seq: number) => ({ type: 'message', seq, id: `m${seq}`, at: seq, role: 'user', parts: [] })
const compaction = (seq: number, fields: object) => ({
  type: 'compaction',
  seq,
  id: `c${seq}`,
  at: seq,
  document: { version: 1, sections: [] },
  fromSeq: seq,
  firstKept: null,
  carried: [],
  previous: null,
  tokensBefore: 9,
  tokensAfter: 3,
  reason: 'threshold',
  strategy: 'longhaul',
  model: null,
  ...fields,
})

function read(...lines: readonly unknown[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const [session] = readTranscripts(text)
  if (session === undefined) throw new Error('no session')
  return session
}

test('OPEN-01 reads a session with its entries and artifacts', () => {
  const session = read(header, message(1), compaction(2, {}), { type: 'artifact', id: 'a', content: 'long\ntext' })
  expect(session).toEqual({
    format: 'longhaul',
    session: { id: 's', createdAt: 100, title: 'Trip' },
    entries: [message(1), compaction(2, {})],
    artifacts: [{ id: 'a', content: 'long\ntext' }],
    skipped: [],
  })
})

test('a lost line moves every reference to what is left', () => {
  const kept = { id: 'm3', seq: 3, at: 3 }
  const session = read(
    header,
    message(1),
    'damaged',
    message(3),
    compaction(4, {
      fromSeq: 3,
      firstKept: kept,
      carried: [
        { id: 'm1', seq: 1 },
        { id: 'm2', seq: 2 },
      ],
    }),
    {
      type: 'prune',
      seq: 5,
      id: 'p',
      at: 5,
      reason: 'size',
      decisions: [{ entry: { id: 'm3', seq: 3 }, part: 0, form: 'cleared', placeholder: '-' }],
    },
    { type: 'hologram', seq: 6, id: 'h', at: 6 },
  )
  expect(session.skipped).toEqual([{ line: 3, reason: 'not JSON' }])
  expect(session.entries.map(({ seq, id }) => [seq, id])).toEqual([
    [1, 'm1'],
    [2, 'm3'],
    [3, 'c4'],
    [4, 'p'],
    [5, 'h'],
  ])
  expect(session.entries[2]).toMatchObject({
    fromSeq: 2,
    firstKept: { id: 'm3', seq: 2 },
    carried: [{ id: 'm1', seq: 1 }],
  })
  expect(session.entries[3]).toMatchObject({ decisions: [{ entry: { id: 'm3', seq: 2 } }] })
  expect(session.entries[4]).toMatchObject({ seq: 5, original: { type: 'hologram', seq: 5 } })
})

test('a lost first kept message gives way to the next, a lost base to the one before', () => {
  const session = read(
    header,
    message(1),
    compaction(2, {}),
    'damaged: the second compaction',
    'damaged: the first kept message',
    message(5),
    compaction(6, { fromSeq: 4, firstKept: { id: 'm4', seq: 4, at: 4 }, previous: { id: 'c3', seq: 3 } }),
    {
      ...compaction(7, { firstKept: { id: 'm4', seq: 4, at: 4 } }),
      type: 'trim',
      summary: { id: 'c3', seq: 3 },
      dropped: 2,
      note: null,
    },
  )
  expect(session.entries[3]).toMatchObject({
    fromSeq: 3,
    firstKept: { id: 'm5', seq: 3, at: 5 },
    previous: { id: 'c2', seq: 2 },
  })
  expect(session.entries[4]).toMatchObject({ type: 'trim', firstKept: { id: 'm5', seq: 3 }, summary: null })
})

test('an id that occurs twice is given once', () => {
  const { entries } = read(header, message(1), { ...message(2), id: 'm1' })
  expect(entries.map(({ id }) => id)).toEqual(['m1', 'm1-2'])
})

test('numbers and names are given to entries written by hand', () => {
  const { entries } = read(header, { type: 'message', role: 'user', parts: ['hello'] }, { type: 'hologram' })
  expect(entries).toEqual([
    { type: 'message', seq: 1, id: 'entry-1', at: 0, role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    expect.objectContaining({ type: 'unknown', seq: 2, id: 'entry-2' }),
  ])
})

test('a lost header leaves a readable session', () => {
  const { session, entries, skipped } = read('{"type":"session","vers', message(1))
  expect(session).toEqual({ id: 'session-1', createdAt: 1 })
  expect(entries).toHaveLength(1)
  expect(skipped).toEqual([{ line: 1, reason: 'not JSON' }])
})

test('what is no entry is listed, and header fields of the wrong type are left out', () => {
  const { session, artifacts, skipped } = read(
    { ...header, createdAt: '1970-01-01T00:00:01Z', title: 7, model: null },
    { seq: 1 },
    { type: 'artifact', id: 'a' },
    { type: 'artifact', id: 'b', content: 'first' },
    { type: 'artifact', id: 'b', content: 'second' },
  )
  expect(session).toEqual({ id: 's', createdAt: 1000 })
  expect(skipped).toEqual([
    { line: 2, reason: 'not an entry' },
    { line: 3, reason: 'an artifact without id or content' },
    { line: 5, reason: 'an artifact whose id is taken' },
  ])
  expect(artifacts).toEqual([{ id: 'b', content: 'first' }])
})
