import { expect, test } from 'vitest'
import { call } from '../testing/build-conversation.ts'
import type { JsonObject } from '../transcript/json.ts'
import { readFileAccess } from './file-access.ts'

const access = (toolName: string, input: JsonObject) => readFileAccess(call('a', toolName, input))

test.each([
  ['read', 'read'],
  ['Read', 'read'],
  ['read_file', 'read'],
  ['readTextFile', 'read'],
  ['mcp__files__read_file', 'read'],
  ['fs.view', 'read'],
  ['get_file_contents', 'read'],
  ['write', 'change'],
  ['MultiEdit', 'change'],
  ['NotebookEdit', 'change'],
  ['mcp__reader__create_file', 'change'],
  ['str_replace', 'change'],
] as const)('LH-03 %s: %s', (toolName, kind) => {
  expect(access(toolName, { path: 'a.ts' })).toEqual({ path: 'a.ts', kind, extent: null })
})

test.each(['bash', 'grep', 'list_directory', 'get_file_info', 'read_directory', 'search', 'thread', 'show_diff', ''])(
  'LH-03 %s neither reads nor changes a file',
  (toolName) => {
    expect(access(toolName, { path: 'a.ts' })).toBeNull()
  },
)

test.each(['path', 'file_path', 'filePath', 'filename', 'file', 'notebook_path'])('LH-03 %s names the file', (key) => {
  expect(access('read', { other: 'b.ts', [key]: 'a.ts' })?.path).toBe('a.ts')
})

test.each([{}, { path: 7 }, { path: ' ' }, { path: ['a.ts'] }, { path: 'x'.repeat(1_001) }])(
  'LH-03 %o names none',
  (input) => {
    expect(access('read', input)).toBeNull()
  },
)

test.each([
  ['./src//a.ts', 'src/a.ts'],
  ['src\\a.ts', 'src/a.ts'],
  ['src/./b/../a.ts', 'src/a.ts'],
  ['/src/a.ts/', '/src/a.ts'],
  ['../a.ts', '../a.ts'],
  ['../../a.ts', '../../a.ts'],
  [' src/a.ts ', 'src/a.ts'],
])('LH-03 %j is %j', (path, expected) => {
  expect(access('read', { path })?.path).toBe(expected)
})

test.each([{ offset: 10 }, { limit: 5 }, { view_range: [1, 2] }, { startLine: 3 }, { end_line: 9 }, { pages: '1-2' }])(
  'LH-03 %o reads a part',
  (part) => {
    expect(access('read', { path: 'a.ts', ...part })?.extent).not.toBeNull()
    expect(access('write', { path: 'a.ts', ...part })?.extent).toBeNull()
  },
)

test('LH-03 the extent does not depend on the order of keys, and null is no limit', () => {
  const one = access('read', { path: 'a.ts', offset: 1, limit: 2 })
  const other = access('read', { limit: 2, offset: 1, path: 'a.ts' })
  expect(one).toEqual(other)
  expect(access('read', { path: 'a.ts', offset: null })?.extent).toBeNull()
})

test('LH-03 an editor with commands: the command decides', () => {
  const editor = 'str_replace_based_edit_tool'
  expect(access(editor, { command: 'view', path: 'a.ts' })?.kind).toBe('read')
  expect(access(editor, { command: 'create', path: 'a.ts' })?.kind).toBe('change')
  expect(access(editor, { command: 'str_replace', path: 'a.ts' })?.kind).toBe('change')
  expect(access('bash', { command: 'view', path: 'a.ts' })).toBeNull()
})
