import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'

let last: string | null = null
let second = 0

/** Lines as Claude Code chains them: each names the one above as its parent, unless told otherwise. */
function line(uuid: string, fields: object) {
  second += 1
  const value = {
    parentUuid: last,
    isSidechain: false,
    sessionId: 'kitchen',
    uuid,
    timestamp: new Date(second * 1000).toISOString(),
    ...fields,
  }
  last = uuid
  return value
}
const user = (uuid: string, content: unknown, fields: object = {}) =>
  line(uuid, { type: 'user', message: { role: 'user', content }, ...fields })
const assistant = (uuid: string, id: string, content: unknown, fields: object = {}) =>
  line(uuid, { type: 'assistant', message: { id, model: 'claude-x', role: 'assistant', content, ...fields } })
const text = (words: string) => [{ type: 'text', text: words }]
const use = (id: string) => [{ type: 'tool_use', id, name: 'Stir', input: { pot: id } }]
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `stirred ${id}` }]
const usage = (output: number) => ({
  usage: { input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: output },
})
const boundary = (uuid: string, metadata: object) =>
  line(uuid, { type: 'system', subtype: 'compact_boundary', parentUuid: null, compactMetadata: metadata })
const compact = (metadata: object) => [
  user('u', 'one'),
  assistant('a', 'm1', text('two')),
  assistant('a-2', 'm1', use('t')),
  user('r', result('t')),
  boundary('b', metadata),
  user('s', 'Summary', { isCompactSummary: true }),
]
const queue = (operation: string, content?: string) => ({
  type: 'queue-operation',
  operation,
  sessionId: 'kitchen',
  content,
})

function read(...lines: readonly unknown[]) {
  last = null
  second = 0
  const [session] = readTranscripts(lines.map((value) => JSON.stringify(value)).join('\n'))
  if (session === undefined) throw new Error('no session')
  return session
}

function outline(...lines: readonly unknown[]) {
  return read(...lines).entries.map((entry) =>
    entry.type === 'message'
      ? `${entry.role}: ${entry.parts.map((part) => ('text' in part ? part.text : 'toolCallId' in part ? part.toolCallId : part.type)).join(', ')}`
      : entry.type,
  )
}

test('joins the lines of one answer, with its one bill, and puts the results after it', () => {
  const { format, session, entries } = read(
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {}, isSnapshotUpdate: false },
    line('p', { type: 'progress', data: { type: 'hook_progress' } }),
    user('u', 'Make soup'),
    assistant('a1', 'msg', [{ type: 'thinking', thinking: 'Leeks.', signature: 'sig' }], usage(1)),
    assistant('a2', 'msg', use('t1'), usage(1)),
    user('r1', result('t1')),
    assistant('a3', 'msg', use('t2'), { ...usage(40), stop_reason: 'tool_use' }),
    user('r2', [
      { type: 'tool_result', tool_use_id: 't2', is_error: true, content: [{ type: 'text', text: 'burnt' }] },
    ]),
    { type: 'summary', summary: 'Soup night', leafUuid: 'r2' },
  )
  expect(format).toBe('claude-code')
  expect(session).toEqual({ id: 'kitchen', createdAt: 1000, title: 'Soup night', model: 'anthropic/claude-x' })
  expect(entries).toEqual([
    { type: 'message', seq: 1, id: 'u', at: 2000, role: 'user', parts: [{ type: 'text', text: 'Make soup' }] },
    {
      type: 'message',
      seq: 2,
      id: 'a1',
      at: 3000,
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Leeks.', providerOptions: { anthropic: { signature: 'sig' } } },
        { type: 'tool-call', toolCallId: 't1', toolName: 'Stir', input: { pot: 't1' } },
        { type: 'tool-call', toolCallId: 't2', toolName: 'Stir', input: { pot: 't2' } },
      ],
      model: 'anthropic/claude-x',
      usage: { input: 123, output: 40, cacheRead: 100, cacheWrite: 20 },
      finish: 'tool-calls',
    },
    {
      type: 'message',
      seq: 3,
      id: 'r1',
      at: 5000,
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Stir', output: 'stirred t1' }],
    },
    {
      type: 'message',
      seq: 4,
      id: 'r2',
      at: 7000,
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 't2', toolName: 'Stir', output: 'burnt', isError: true }],
    },
  ])
})

test('leaves out the work of sub-agents, unless the file is their own', () => {
  const side = user('s', 'Chop', { isSidechain: true })
  const { entries, skipped } = read(user('u', 'Make soup'), side, {
    type: 'system',
    subtype: 'turn_duration',
    uuid: 'd',
  })
  expect(entries.map(({ id }) => id)).toEqual(['u'])
  expect(skipped).toEqual([{ line: 2, reason: 'a side chain, the work of a sub-agent' }])
  const own = read({ ...side, agentId: 'a7' })
  expect(own.session.id).toBe('agent-a7')
  expect(own.entries.map(({ id }) => id)).toEqual(['s'])
})

test('a compaction is its boundary and its summary, and keeps nothing before', () => {
  const { entries, skipped } = read(
    user('u', 'Make soup'),
    assistant('a', 'm1', text('Done'), usage(9)),
    boundary('b1', { trigger: 'auto', preTokens: 900 }),
    user('s1', 'Soup was made.', { isCompactSummary: true }),
    assistant('a2', 'm2', text('Next'), usage(9)),
    boundary('b2', { trigger: 'manual', preTokens: 800, postTokens: 50 }),
    user('s2', text('Soup again.'), { isCompactSummary: true }),
    boundary('b3', {}),
  )
  expect(entries.map(({ id, type }) => [id, type])).toEqual([
    ['u', 'message'],
    ['a', 'message'],
    ['b1', 'compaction'],
    ['a2', 'message'],
    ['b2', 'compaction'],
  ])
  expect(entries[2]).toMatchObject({
    document: { sections: [{ title: '', items: [{ text: 'Soup was made.' }] }] },
    fromSeq: 3,
    firstKept: null,
    carried: [],
    previous: null,
    tokensBefore: 900,
    tokensAfter: 123,
    reason: 'threshold',
    strategy: 'claude-code',
  })
  expect(entries[4]).toMatchObject({ previous: { id: 'b1', seq: 3 }, tokensAfter: 50, reason: 'manual' })
  expect(skipped).toEqual([{ line: 8, reason: 'a compaction without its summary' }])
})

test('a compaction that kept a stretch says so: the tail as first kept, anything else carried', () => {
  const tail = read(...compact({ preservedSegment: { headUuid: 'a-2', anchorUuid: 's', tailUuid: 'r' } }))
  expect(tail.entries.at(-1)).toMatchObject({ fromSeq: 2, firstKept: { id: 'a', seq: 2 }, carried: [] })
  const listed = read(...compact({ preservedMessages: { uuids: ['r', 'gone'] } }))
  expect(listed.entries.at(-1)).toMatchObject({ fromSeq: 3, firstKept: { id: 'r', seq: 3 }, carried: [] })
  const start = read(...compact({ preservedSegment: { headUuid: 'u', anchorUuid: 'b', tailUuid: 'u' } }))
  expect(start.entries.at(-1)).toMatchObject({ fromSeq: 4, firstKept: null, carried: [{ id: 'u', seq: 1 }] })
})

test('of two attempts at a prompt, the one that went on last is the conversation', () => {
  const { entries, skipped } = read(
    user('u', 'Make soup'),
    assistant('a', 'm1', text('Which?')),
    user('v1', 'Tomato'),
    assistant('b1', 'm2', use('t1')),
    user('r1', result('t1')),
    user('v2', 'Leek', { parentUuid: 'a' }),
    assistant('b2', 'm3', text('Leek it is')),
  )
  expect(entries.map(({ id }) => id)).toEqual(['u', 'a', 'v2', 'b2'])
  expect(skipped).toEqual([3, 4, 5].map((number) => ({ line: number, reason: 'on a branch that was left' })))
})

test('parallel calls fork the chain and are no second attempt; neither is a resumed session', () => {
  expect(
    outline(
      user('u', 'Make soup'),
      assistant('a1', 'm1', use('t1')),
      assistant('a2', 'm1', use('t2')),
      user('r1', result('t1'), { parentUuid: 'a1' }),
      user('r2', result('t2'), { parentUuid: 'a2' }),
      assistant('b', 'm2', text('Both done')),
      user('v', 'And now?', { parentUuid: null }),
    ),
  ).toEqual(['user: Make soup', 'assistant: t1, t2', 'tool: t1', 'tool: t2', 'assistant: Both done', 'user: And now?'])
})

test('what the user typed during a turn stands after the results the model waited for', () => {
  expect(
    outline(
      user('u', 'Make soup'),
      assistant('a', 'm1', use('t1')),
      queue('enqueue', 'Less salt'),
      queue('enqueue', '/cost'),
      queue('remove'),
      user('r', result('t1')),
      assistant('b', 'm2', use('t2')),
      line('q', { type: 'attachment', attachment: { type: 'queued_command', prompt: text('And bread') } }),
      { ...queue('remove', 'And bread'), reason: 'absorbed_mid_turn' },
      user('r2', result('t2')),
      assistant('c', 'm3', text('Served')),
      queue('enqueue', 'Thanks'),
      queue('dequeue'),
      user('v', 'Thanks'),
      queue('enqueue', 'Never mind'),
      { ...queue('remove', 'Never mind'), reason: 'cancelled' },
    ),
  ).toEqual([
    'user: Make soup',
    'assistant: t1',
    'tool: t1',
    'user: Less salt',
    'assistant: t2',
    'tool: t2',
    'user: And bread',
    'assistant: Served',
    'user: Thanks',
  ])
})

test('notes the program adds are part of what the model read; names the user gave win over summaries', () => {
  const { session, entries } = read(
    user('m', text('Caveat: commands follow'), { isMeta: true }),
    user('u', [...text('Look'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }]),
    user('d', [
      { type: 'document', title: 'menu.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' } },
    ]),
    { type: 'summary', summary: 'Automatic', leafUuid: 'd' },
    { type: 'custom-title', customTitle: 'My soup', sessionId: 'kitchen' },
  )
  expect(session.title).toBe('My soup')
  expect(entries).toMatchObject([
    { parts: [{ text: 'Caveat: commands follow' }] },
    { parts: [{ text: 'Look' }, { type: 'image', image: 'AAAA', mediaType: 'image/png' }] },
    { parts: [{ type: 'file', data: 'BBBB', mediaType: 'application/pdf', filename: 'menu.pdf' }] },
  ])
})

test('answers that failed or were cut off say so', () => {
  const { session, entries } = read(
    user('u', 'Make soup'),
    assistant('a', 'm1', text('Peel the')),
    user('i', text('[Request interrupted by user]')),
    user('v', 'Go on'),
    {
      ...assistant('e', 'm2', text('API Error: 529'), {
        model: '<synthetic>',
        usage: { input_tokens: 0, output_tokens: 0 },
      }),
      isApiErrorMessage: true,
    },
  )
  expect(entries.map((entry) => (entry.type === 'message' ? entry.finish : null))).toEqual([
    undefined,
    'aborted',
    undefined,
    undefined,
    'error',
  ])
  expect(entries[4]).not.toHaveProperty('model')
  expect(entries[4]).not.toHaveProperty('usage')
  expect(session.model).toBe('anthropic/claude-x')
})

test('a line that occurs twice is read once, and a result with words beside it makes two messages', () => {
  const twice = user('u', 'Make soup')
  const { entries } = read(
    twice,
    twice,
    assistant('a', 'm', use('t')),
    assistant('a-again', 'm', use('t')),
    user('r', [...result('t'), ...text('Enough')]),
  )
  expect(entries.map(({ id }) => id)).toEqual(['u', 'a', 'r', 'r-text'])
  expect(entries[1]).toMatchObject({ parts: [{ toolCallId: 't' }] })
})
