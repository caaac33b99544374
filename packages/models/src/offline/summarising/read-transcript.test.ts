import { renderMessages } from '@longhaul/engine/advanced'
import type { Message } from '@longhaul/engine/advanced'
import { expect, it } from 'vitest'
import { readTranscript } from './read-transcript.ts'

it('reads back what the engine shows a summariser', () => {
  const call = { type: 'tool-call', toolCallId: 'call-1-1', toolName: 'read_file', input: { path: 'a.txt' } } as const
  const result = { ...call, type: 'tool-result', output: 'alpha\n\nbeta', isError: false } as const
  const { input, ...answer } = result
  const messages: readonly Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'Read a.txt.\n\nThen stop.' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Reading.' }, call] },
    { role: 'tool', parts: [answer] },
    { role: 'assistant', parts: [{ type: 'text', text: 'It says alpha.' }] },
  ]
  expect(input).toEqual({ path: 'a.txt' })
  const read = readTranscript(renderMessages(messages))
  expect(read.map(({ role, parts }) => ({ role, parts }))).toEqual(messages)
  expect(read.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
})

it('makes something of arguments that were cut, of results without a call, and of text without a label', () => {
  expect(readTranscript('Assistant: [calls run {"command":"ls -la","cwd":"/tm…]')[0]?.parts[1]).toMatchObject({
    input: { command: 'ls -la', cwd: '/tm…]'.slice(0, 4) },
  })
  expect(readTranscript('[run failed] no such file')[0]).toMatchObject({
    role: 'tool',
    parts: [{ toolName: 'run', output: 'no such file', isError: true }],
  })
  expect(readTranscript('[… 200 characters left out …]\nrest')[0]?.role).toBe('user')
  expect(readTranscript('')).toEqual([])
})
