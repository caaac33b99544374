import { expect, test } from 'vitest'
import { parseLines } from './parse-lines.ts'
import { recogniseChat, recogniseFormat } from './recognise-format.ts'

const formats: readonly [string, unknown, ReturnType<typeof recogniseFormat>][] = [
  ['our header', { type: 'session', version: 1, id: 's', createdAt: 0 }, 'longhaul'],
  ['our entry, where the header is lost', { type: 'message', seq: 4, id: 'm', role: 'user', parts: [] }, 'longhaul'],
  ['a pi header', { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/' }, 'pi'],
  ['a pi header of version 4', { kind: 'header', version: 4, id: 's', createdAt: 1 }, 'pi'],
  ['a pi entry, where the header is lost', { type: 'message', message: { role: 'user', content: 'x' } }, 'pi'],
  ['a Claude Code message', { type: 'user', uuid: 'u', message: { role: 'user', content: 'x' } }, 'claude-code'],
  ['a Claude Code summary', { type: 'summary', summary: 'Title', leafUuid: 'u' }, 'claude-code'],
  ['a Claude Code note', { type: 'progress', sessionId: 's', data: {} }, 'claude-code'],
  ['a conversation', { id: 'c', messages: [] }, 'chat'],
  ['a message alone', { role: 'user', content: 'x' }, 'chat'],
  ['something else', { type: 'invoice', total: 3 }, null],
]

test.each(formats)('recognises %s', (_title, value, format) => {
  expect(recogniseFormat(parseLines(JSON.stringify(value)).lines)).toBe(format)
})

test('lines that say nothing are passed over', () => {
  const { lines } = parseLines('{"note":1}\n{"type":"session","createdAt":5}')
  expect(recogniseFormat(lines)).toBe('longhaul')
})

test('tells the chat formats apart by what only one of them writes', () => {
  const text = [{ type: 'text', text: 'x' }]
  expect(recogniseChat([{ role: 'assistant', content: null, tool_calls: [] }])).toBe('openai-chat')
  expect(recogniseChat([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'u' } }] }])).toBe(
    'openai-chat',
  )
  expect(recogniseChat([{ role: 'developer', content: 'x' }])).toBe('openai-chat')
  expect(recogniseChat([{ role: 'tool', content: [{ type: 'tool-result' }] }])).toBe('ai-sdk')
  expect(recogniseChat([{ role: 'assistant', content: text }])).toBe('ai-sdk')
  expect(recogniseChat([{ role: 'user', content: text }])).toBeNull()
  expect(recogniseChat([{ role: 'user', content: 'x' }, null, 7])).toBeNull()
})
