import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'

const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'find_boat', arguments: args } })
const rowing = [
  { role: 'system', content: 'You rent out boats.' },
  { role: 'user', content: 'A boat for two' },
  { role: 'assistant', content: null, tool_calls: [call('c1', '{"seats":2}')] },
  { role: 'tool', tool_call_id: 'c1', content: 'Swan' },
  { role: 'assistant', content: 'The Swan is free.' },
]

test('reads messages with tool calls, whose arguments are JSON in a string', () => {
  const [session] = readTranscripts(JSON.stringify(rowing))
  expect(session).toEqual({
    format: 'openai-chat',
    session: { id: 'conversation-1', createdAt: 0, systemPrompt: 'You rent out boats.' },
    entries: [
      {
        type: 'message',
        seq: 1,
        id: 'entry-1',
        at: 0,
        role: 'user',
        parts: [{ type: 'text', text: 'A boat for two' }],
      },
      {
        type: 'message',
        seq: 2,
        id: 'entry-2',
        at: 0,
        role: 'assistant',
        parts: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find_boat', input: { seats: 2 } }],
      },
      {
        type: 'message',
        seq: 3,
        id: 'entry-3',
        at: 0,
        role: 'tool',
        parts: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'find_boat', output: 'Swan' }],
      },
      {
        type: 'message',
        seq: 4,
        id: 'entry-4',
        at: 0,
        role: 'assistant',
        parts: [{ type: 'text', text: 'The Swan is free.' }],
      },
    ],
    artifacts: [],
    skipped: [],
  })
})

test('reads one conversation a line, an object, and one message a line', () => {
  const lines = [
    { id: 'a', messages: rowing },
    { id: 7, model: 'gpt-y', title: 'Row', messages: rowing },
    { messages: [] },
    { id: 'a', messages: [] },
  ]
  const sessions = readTranscripts(`${lines.map((line) => JSON.stringify(line)).join('\n')}\nbroken`)
  expect(sessions.map(({ session }) => session.id)).toEqual(['a', '7', 'conversation-3', 'a-2'])
  expect(sessions[1]?.session).toMatchObject({ title: 'Row', model: 'openai/gpt-y' })
  expect(sessions.map(({ format }) => format)).toEqual(Array(4).fill('openai-chat'))
  expect(sessions.map(({ skipped }) => skipped.length)).toEqual([0, 0, 0, 1])
  expect(readTranscripts(JSON.stringify({ messages: rowing }, null, 2))).toHaveLength(1)
  const eachOnItsOwn = readTranscripts(rowing.map((message) => JSON.stringify(message)).join('\n'))
  expect(eachOnItsOwn.map(({ entries }) => entries.length)).toEqual([4])
})

test('reads images, sound, files, refusals and reasoning', () => {
  const [session] = readTranscripts(
    JSON.stringify([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which boat?' },
          { type: 'image_url', image_url: { url: 'https://example.org/boat.png' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { file_data: 'BBBB', filename: 'lake.pdf' } },
        ],
      },
      { role: 'assistant', content: '', reasoning_content: 'A swan.', refusal: 'I may not say.' },
    ]),
  )
  expect(session?.entries).toMatchObject([
    {
      parts: [
        { type: 'text', text: 'Which boat?' },
        { type: 'image', image: 'https://example.org/boat.png' },
        { type: 'file', data: 'AAAA', mediaType: 'audio/wav' },
        { type: 'file', data: 'BBBB', filename: 'lake.pdf' },
      ],
    },
    {
      parts: [
        { type: 'reasoning', text: 'A swan.' },
        { type: 'text', text: 'I may not say.' },
      ],
    },
  ])
})

test('pairs the older function calls, and keeps arguments that were cut off', () => {
  const [session] = readTranscripts(
    JSON.stringify([
      { role: 'assistant', content: null, function_call: { name: 'find_boat', arguments: '{"seats":' } },
      { role: 'function', name: 'find_boat', content: 'Swan' },
    ]),
  )
  expect(session?.entries).toMatchObject([
    { parts: [{ type: 'tool-call', toolCallId: 'call-1', input: { value: '{"seats":' } }] },
    { role: 'tool', parts: [{ toolCallId: 'call-1', toolName: 'find_boat', output: 'Swan' }] },
  ])
})

test('a later system message stays in its place; what is no message is listed', () => {
  const [session] = readTranscripts(
    JSON.stringify([
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'The lake closes.' },
      { role: 'narrator', content: 'Rain.' },
    ]),
  )
  expect(session?.session.systemPrompt).toBe('Be brief.')
  expect(session?.entries).toMatchObject([
    { parts: [{ text: 'Hi' }] },
    { role: 'user', parts: [{ text: 'The lake closes.' }] },
  ])
  expect(session?.skipped).toEqual([{ line: 4, reason: 'a message without a known role' }])
})
