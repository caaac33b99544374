import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'

const time = (second: number) => new Date(second * 1000).toISOString()
const header = {
  type: 'session',
  id: 'walk',
  timestamp: time(1),
  cwd: '/garden',
  provider: 'anthropic',
  modelId: 'claude-x',
}
const tree = { type: 'session', version: 3, id: 'walk', timestamp: time(1), cwd: '/garden' }
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 7 })
const assistant = (fields: object) => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'yes' }],
  provider: 'anthropic',
  model: 'claude-x',
  usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, cost: { total: 0.5 } },
  stopReason: 'stop',
  ...fields,
})
const line = (message: object, fields: object = {}) => ({ type: 'message', timestamp: time(2), message, ...fields })
const laneEntry = (id: string, parentId: string | null, message: object, lane = 'main') => ({
  kind: 'entry',
  lane,
  type: 'message',
  id,
  parentId,
  timestamp: 5000,
  message,
})

function read(...lines: readonly unknown[]) {
  const text = lines.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')
  const [session] = readTranscripts(text)
  if (session === undefined) throw new Error('no session')
  return session
}

function textsOf(...lines: readonly unknown[]) {
  return read(...lines).entries.map((entry) => {
    if (entry.type !== 'message') return entry.type
    const [part] = entry.parts
    return part?.type === 'text' ? part.text : part?.type
  })
}

test('reads version 1: a list without ids', () => {
  const { format, session, entries } = read(header, line(user('Water the roses')), line(assistant({})))
  expect(format).toBe('pi')
  expect(session).toEqual({ id: 'walk', createdAt: 1000, model: 'anthropic/claude-x' })
  expect(entries).toEqual([
    {
      type: 'message',
      seq: 1,
      id: 'entry-1',
      at: 2000,
      role: 'user',
      parts: [{ type: 'text', text: 'Water the roses' }],
    },
    {
      type: 'message',
      seq: 2,
      id: 'entry-2',
      at: 2000,
      role: 'assistant',
      parts: [{ type: 'text', text: 'yes' }],
      model: 'anthropic/claude-x',
      usage: { input: 130, output: 5, cacheRead: 100, cacheWrite: 20, costUsd: 0.5 },
      finish: 'stop',
    },
  ])
})

test('reads thinking, calls, images and results', () => {
  const { entries } = read(
    header,
    line(
      assistant({
        content: [
          { type: 'thinking', thinking: 'dry soil', thinkingSignature: 'sig' },
          { type: 'thinking', thinking: '', thinkingSignature: 'secret', redacted: true },
          { type: 'toolCall', id: 't1', name: 'look', arguments: { at: 'bed' } },
        ],
        stopReason: 'toolUse',
      }),
    ),
    line({
      role: 'toolResult',
      toolCallId: 't1',
      toolName: 'look',
      content: [{ type: 'text', text: 'dry' }],
      isError: true,
    }),
    line({
      role: 'toolResult',
      toolCallId: 't1',
      toolName: 'look',
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    }),
  )
  expect(entries[0]).toMatchObject({
    finish: 'tool-calls',
    parts: [
      { type: 'reasoning', text: 'dry soil', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'secret' } } },
      { type: 'tool-call', toolCallId: 't1', toolName: 'look', input: { at: 'bed' } },
    ],
  })
  expect(entries[1]).toMatchObject({
    role: 'tool',
    parts: [{ type: 'tool-result', toolCallId: 't1', toolName: 'look', output: 'dry', isError: true }],
  })
  expect(entries[2]).toMatchObject({ parts: [{ output: [{ type: 'image', image: 'AAAA', mediaType: 'image/png' }] }] })
})

test('an answer that failed keeps its finish and has no usage, for zeros bill nothing', () => {
  const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const { entries } = read(
    header,
    line(assistant({ content: [], stopReason: 'aborted', usage: zero, thinkingSignature: '' })),
    line(assistant({ content: [], stopReason: 'error', usage: zero })),
  )
  expect(entries.map((entry) => entry.type === 'message' && entry.finish)).toEqual(['aborted', 'error'])
  expect(entries.some((entry) => 'usage' in entry)).toBe(false)
})

test('a compaction of version 1 counts the lines of the file, header included', () => {
  const { entries } = read(
    header,
    line(user('one')),
    { type: 'thinking_level_change', timestamp: time(3), thinkingLevel: 'high' },
    line(user('two'), { timestamp: time(4) }),
    { type: 'compaction', timestamp: time(5), summary: 'They talked.', firstKeptEntryIndex: 2, tokensBefore: 900 },
    line(assistant({})),
    { type: 'compaction', timestamp: time(6), summary: 'Again.', firstKeptEntryIndex: 5, tokensBefore: 800 },
  )
  expect(entries[2]).toEqual({
    type: 'compaction',
    seq: 3,
    id: 'entry-3',
    at: 5000,
    document: {
      version: 1,
      sections: [{ title: '', items: [{ id: 'summary', text: 'They talked.', sources: [], status: 'open' }] }],
    },
    fromSeq: 2,
    firstKept: { id: 'entry-2', seq: 2, at: 4000 },
    carried: [],
    previous: null,
    tokensBefore: 900,
    tokensAfter: 130,
    reason: 'threshold',
    strategy: 'pi',
    model: null,
  })
  expect(entries[4]).toMatchObject({
    firstKept: { id: 'entry-4', seq: 4 },
    previous: { id: 'entry-3', seq: 3 },
    tokensAfter: 0,
  })
})

test('follows the branch of the last entry and lists the other one', () => {
  const { session, entries, skipped } = read(
    tree,
    line(user('root'), { id: 'a', parentId: null }),
    line(user('left'), { id: 'b', parentId: 'a' }),
    line(user('right'), { id: 'c', parentId: 'a' }),
    { type: 'session_info', id: 'd', parentId: 'c', timestamp: time(3), name: 'Garden' },
    { type: 'model_change', id: 'e', parentId: 'd', timestamp: time(3), provider: 'openai', modelId: 'gpt-y' },
    {
      type: 'compaction',
      id: 'f',
      parentId: 'e',
      summary: 's',
      firstKeptEntryId: 'd',
      tokensBefore: 3,
      tokensAfter: 1,
    },
    { type: 'compaction', id: 'g', parentId: 'f', summary: 's', firstKeptEntryId: 'c', tokensBefore: 3 },
    { type: 'compaction', id: 'h', parentId: 'g', summary: 's', firstKeptEntryId: 'h', tokensBefore: 3 },
  )
  expect(session).toMatchObject({ title: 'Garden', model: 'openai/gpt-y' })
  expect(entries.map(({ id, type }) => [id, type])).toEqual([
    ['a', 'message'],
    ['c', 'message'],
    ['e', 'model-change'],
    ['f', 'compaction'],
    ['g', 'compaction'],
    ['h', 'compaction'],
  ])
  expect(entries.slice(3)).toMatchObject([
    { firstKept: null, tokensAfter: 1 },
    { firstKept: { id: 'c', seq: 2 }, fromSeq: 2, previous: { id: 'f' } },
    { firstKept: null, fromSeq: 6, previous: { id: 'g' } },
  ])
  expect(skipped).toEqual([{ line: 3, reason: 'on a branch that was left' }])
})

test('a lost parent does not cut off what came before it', () => {
  const lines = [
    tree,
    line(user('one'), { id: 'a', parentId: null }),
    'damaged',
    line(user('three'), { id: 'c', parentId: 'b' }),
  ]
  expect(textsOf(...lines)).toEqual(['one', 'three'])
})

test('where no entry names a parent, the list is the conversation', () => {
  const lines = [line(user('one'), { id: 'a', parentId: null }), line(user('two'), { id: 'b', parentId: null })]
  expect(textsOf(tree, ...lines)).toEqual(['one', 'two'])
})

test('parents in a circle come to an end', () => {
  expect(
    textsOf(tree, line(user('one'), { id: 'a', parentId: 'b' }), line(user('two'), { id: 'b', parentId: 'a' })),
  ).toEqual(['one', 'two'])
})

test('reads version 4: lanes, moves, names, and the kept messages instead of a reference', () => {
  const { session, entries } = read(
    { kind: 'header', version: 4, id: 'lanes', createdAt: 4000, cwd: '/' },
    laneEntry('a', null, user('one')),
    { kind: 'record', lane: 'main', type: 'usage', id: 'r', seq: 2, usage: {} },
    laneEntry('x', 'a', user('elsewhere'), 'helper'),
    laneEntry('b', 'a', { ...user('two'), timestamp: 8 }),
    laneEntry('c', 'b', user('taken back')),
    { kind: 'lane', seq: 5, lane: 'main', leafId: 'b' },
    {
      kind: 'entry',
      lane: 'main',
      type: 'compaction',
      id: 'd',
      parentId: 'b',
      timestamp: 6000,
      summary: 's',
      retainedTail: [{ ...user('two'), timestamp: 8 }],
    },
    { kind: 'fact', seq: 7, fact: 'name', name: 'Lanes' },
  )
  expect(session).toEqual({ id: 'lanes', createdAt: 4000, title: 'Lanes' })
  expect(entries.map(({ id }) => id)).toEqual(['a', 'b', 'd'])
  expect(entries[2]).toMatchObject({ at: 6000, firstKept: { id: 'b', seq: 2, at: 5000 } })
})

test('what the model saw besides messages is told to it as pi told it', () => {
  const shell = { role: 'bashExecution', command: 'ls', output: 'roses', exitCode: 0, cancelled: false }
  expect(
    textsOf(
      tree,
      line(shell),
      line({ ...shell, output: '', exitCode: 2 }),
      line({ ...shell, cancelled: true, exitCode: 130, truncated: true, fullOutputPath: '/tmp/all' }),
      { type: 'custom_message', customType: 'note', content: 'Mind the bees', display: true },
      { type: 'branch_summary', fromId: 'x', summary: 'We tried mulch.\n' },
      line({ role: 'hookMessage', customType: 'h', content: 'From a hook' }),
      { type: 'reset' },
      { type: 'custom', customType: 'state', data: {} },
    ),
  ).toEqual([
    'Ran `ls`\n```\nroses\n```',
    'Ran `ls`\n(no output)\n\nCommand exited with code 2',
    'Ran `ls`\n```\nroses\n```\n\n(command cancelled)\n\n[Output truncated. Full output: /tmp/all]',
    'Mind the bees',
    'The following is a summary of a branch that this conversation came back from:\n\n<summary>\nWe tried mulch.\n</summary>',
    'From a hook',
    'reset',
  ])
})

test('what no model saw is left out and listed; the system prompt belongs to the session', () => {
  const { session, entries, skipped } = read(
    header,
    line({ role: 'system', content: [{ type: 'text', text: 'You garden.' }] }),
    line({ role: 'bashExecution', command: 'pwd', output: '/', excludeFromContext: true }),
    { type: 'context_edit', targetId: 'x', replacement: null },
    line({}),
  )
  expect(session.systemPrompt).toBe('You garden.')
  expect(entries).toEqual([])
  expect(skipped.map((skip) => skip.line)).toEqual([3, 4, 5])
})
