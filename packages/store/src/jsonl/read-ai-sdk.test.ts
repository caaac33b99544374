import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'

const result = (output: unknown, fields: object = {}) => ({
  type: 'tool-result',
  toolCallId: 'c',
  toolName: 'weigh',
  output,
  ...fields,
})

function read(messages: readonly unknown[], beside: object = {}) {
  const [session] = readTranscripts(JSON.stringify({ ...beside, messages }))
  if (session === undefined) throw new Error('no session')
  return session
}

function outputs(...results: readonly unknown[]) {
  return read([{ role: 'tool', content: results }]).entries.flatMap((entry) =>
    entry.type === 'message' ? entry.parts.map((part) => ({ ...part, type: undefined, toolName: undefined })) : [],
  )
}

test('reads messages part by part', () => {
  const session = read(
    [
      { role: 'system', content: 'You bake.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Bread' },
          { type: 'image', image: 'AAAA', mediaType: 'image/png' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Flour.', providerOptions: { anthropic: { signature: 'sig' } } },
          { type: 'tool-call', toolCallId: 'c', toolName: 'weigh', input: { what: 'flour' } },
        ],
      },
      { role: 'tool', content: [result({ type: 'text', value: '500 g' })] },
      { role: 'assistant', content: 'Done' },
    ],
    { id: 'bakery', model: 'anthropic/claude-x', system: 'Be warm.' },
  )
  expect(session).toMatchObject({
    format: 'ai-sdk',
    session: { id: 'bakery', createdAt: 0, model: 'anthropic/claude-x', systemPrompt: 'Be warm.\n\nYou bake.' },
  })
  expect(session.entries.map((entry) => entry.type === 'message' && [entry.role, entry.parts])).toEqual([
    [
      'user',
      [
        { type: 'text', text: 'Bread' },
        { type: 'image', image: 'AAAA', mediaType: 'image/png' },
      ],
    ],
    [
      'assistant',
      [
        { type: 'reasoning', text: 'Flour.', providerOptions: { anthropic: { signature: 'sig' } } },
        { type: 'tool-call', toolCallId: 'c', toolName: 'weigh', input: { what: 'flour' } },
      ],
    ],
    ['tool', [{ type: 'tool-result', toolCallId: 'c', toolName: 'weigh', output: '500 g' }]],
    ['assistant', [{ type: 'text', text: 'Done' }]],
  ])
})

test('reads every kind of tool output', () => {
  expect(
    outputs(
      result({ type: 'text', value: 'ok' }),
      result({ type: 'json', value: { grams: 500 } }),
      result({ type: 'error-text', value: 'scale broken' }),
      result({ type: 'error-json', value: { code: 4 } }),
      result({ type: 'execution-denied', reason: 'not at night' }),
      result({ type: 'execution-denied' }),
      result({ type: 'content', value: [{ type: 'text', text: 'alone' }] }),
      result({
        type: 'content',
        value: [
          { type: 'text', text: 'see' },
          { type: 'media', data: 'AAAA', mediaType: 'image/png' },
          { type: 'file-data', data: 'BBBB', mediaType: 'application/pdf' },
        ],
      }),
      result(undefined, { result: { grams: 1 } }),
    ),
  ).toMatchObject([
    { output: 'ok' },
    { output: '{"grams":500}' },
    { output: 'scale broken', isError: true },
    { output: '{"code":4}', isError: true },
    { output: 'not at night', isError: true },
    { output: 'The call was not allowed.', isError: true },
    { output: 'alone' },
    {
      output: [
        { type: 'text', text: 'see' },
        { type: 'image', image: 'AAAA', mediaType: 'image/png' },
        { type: 'file', data: 'BBBB', mediaType: 'application/pdf' },
      ],
    },
    { output: '{"grams":1}' },
  ])
})

test('results of tools the provider ran become a message of their own, and questions for approval none', () => {
  const { entries } = read([
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c', toolName: 'weigh', args: { what: 'rye' }, providerExecuted: true },
        { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'c' },
        result({ type: 'json', value: 3 }, { toolName: undefined }),
        { type: 'text', text: 'Rye it is' },
      ],
    },
  ])
  expect(entries).toMatchObject([
    {
      role: 'assistant',
      parts: [
        { type: 'tool-call', input: { what: 'rye' } },
        { type: 'text', text: 'Rye it is' },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool-result', toolCallId: 'c', output: '3' }] },
  ])
})

test('a conversation without a sign of its format follows the others of the file', () => {
  const plain = { messages: [{ role: 'user', content: 'Hi' }] }
  const telling = { messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }] }
  const sessions = readTranscripts([plain, telling].map((line) => JSON.stringify(line)).join('\n'))
  expect(sessions.map(({ format }) => format)).toEqual(['ai-sdk', 'ai-sdk'])
})
