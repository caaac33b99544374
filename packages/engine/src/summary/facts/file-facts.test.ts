import { describe, expect, test } from 'vitest'
import { assistant, call, items, result, tool, user } from '../../testing/build-conversation.ts'
import type { JsonObject } from '../../transcript/json.ts'
import type { Message } from '../../transcript/message.ts'
import { extractFacts } from '../extract-facts.ts'

function filesOf(toolName: string, input: JsonObject, output = 'ok', isError = false): Record<string, string> {
  const span = items(assistant(call('a', toolName, input)), tool(result('a', output, { isError })))
  const facts = extractFacts(span).filter(({ kind }) => kind === 'file-changed' || kind === 'file-read')
  return Object.fromEntries(
    facts.map(({ kind, text, note }) => [text, kind === 'file-read' ? (note ?? 'read') : (note ?? 'changed')]),
  )
}

describe('collectFiles', () => {
  test.each([
    ['read', { path: '/home/me/a.ts' }, { '/home/me/a.ts': 'read' }],
    ['Read', { file_path: 'src/a.ts', limit: 20 }, { 'src/a.ts': 'read' }],
    ['mcp__files__read_text_file', { filePath: 'src/a.ts' }, { 'src/a.ts': 'read' }],
    ['write', { path: 'src/a.ts', content: 'x' }, { 'src/a.ts': 'created' }],
    ['Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y' }, { 'src/a.ts': 'edited' }],
    ['MultiEdit', { file_path: 'src/a.ts', edits: [] }, { 'src/a.ts': 'edited' }],
    ['NotebookEdit', { notebook_path: 'n.ipynb' }, { 'n.ipynb': 'edited' }],
    ['delete_file', { path: 'src/a.ts' }, { 'src/a.ts': 'deleted' }],
    ['files.moveFile', { source_path: 'a.ts', destination: 'b.ts' }, { 'a.ts': 'moved', 'b.ts': 'moved' }],
    ['text_editor', { command: 'view', path: 'src/a.ts' }, { 'src/a.ts': 'read' }],
    ['text_editor', { command: 'str_replace', path: 'src/a.ts', old_str: 'x' }, { 'src/a.ts': 'edited' }],
    ['grep', { pattern: 'x', path: 'src' }, {}],
    ['search', { query: 'weather', path: 'https://example.com/a.html' }, {}],
  ] as const)('%s %j', (name, input, expected) => {
    expect(filesOf(name, input)).toEqual(expected)
  })

  test('reads what a patch touches', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: src/b.ts\n+z\n*** Delete File: c.md\n*** End Patch'
    const expected = { 'src/a.ts': 'edited', 'src/b.ts': 'created', 'c.md': 'deleted' }
    expect(filesOf('apply_patch', { input: patch })).toEqual(expected)
    expect(filesOf('shell', { command: ['apply_patch', patch] })).toEqual(expected)
  })

  test('reads what a unified diff touches', () => {
    const diff = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n'
    expect(filesOf('patch', { diff })).toEqual({ 'src/a.ts': 'edited' })
  })

  test.each([
    ['cat src/a.ts', { 'src/a.ts': 'read' }],
    ["sed -n '1,80p' src/a.ts | head", { 'src/a.ts': 'read' }],
    ["sed -i 's/x/y/' src/a.ts", { 'src/a.ts': 'edited' }],
    ['echo hi > notes/out.txt', { 'notes/out.txt': 'edited' }],
    ['rm -f old.ts && mv a.ts b.ts', { 'old.ts': 'deleted', 'a.ts': 'deleted', 'b.ts': 'moved' }],
    ['cp a.ts b.ts', { 'a.ts': 'read', 'b.ts': 'moved' }],
    ['git mv a.ts b.ts', { 'a.ts': 'deleted', 'b.ts': 'moved' }],
    ['cd /home/ada/app && cat src/a.ts', { '/home/ada/app/src/a.ts': 'read' }],
    ['grep "from a.ts" src/b.ts', { 'src/b.ts': 'read' }],
    ["cat > src/a.ts <<'EOF'\ncat not/a/file.ts\nEOF", { 'src/a.ts': 'edited' }],
    ['git commit -m "Fix the parser"', {}],
  ])('bash: %s', (command, expected) => {
    const opened = Object.entries(filesOf('bash', { command })).filter(([, state]) => state !== 'mentioned')
    expect(Object.fromEntries(opened)).toEqual(expected)
  })

  test('a failed call changes nothing', () => {
    const input = { path: 'src/a.ts', oldText: 'x', newText: 'y' }
    expect(filesOf('edit', input, 'Could not find the exact text in src/a.ts.', true)['src/a.ts']).toBe('mentioned')
    expect(filesOf('edit', input, 'Error: old text not found')['src/a.ts']).toBeUndefined()
    expect(filesOf('bash', { command: 'rm a.ts' }, 'rm: a.ts: denied\nCommand exited with code 1')['a.ts']).not.toBe(
      'deleted',
    )
  })
})

describe('collectPathMentions', () => {
  test('names files people and models write of, and those a tool lists', () => {
    const span = items(
      user('read @packages/app/src/main.ts and ./README.md, not https://example.com/x.html'),
      assistant('In `lib/a.ex` and config.yaml; 3/4 of it is fine.', call('a', 'glob', { pattern: '**/*.ts' })),
      tool(result('a', '/home/ada/src/one.ts\n/home/ada/src/two.ts')),
    )
    const named = extractFacts(span).filter(({ kind }) => kind === 'file-read')
    expect(named.map(({ text, by }) => `${by} ${text}`).toSorted()).toEqual([
      'assistant config.yaml',
      'assistant lib/a.ex',
      'tool /home/ada/src/one.ts',
      'tool /home/ada/src/two.ts',
      'user ./README.md',
      'user packages/app/src/main.ts',
    ])
  })

  test('bare names count where somebody wrote them, also in the input of a tool', () => {
    const span = items(
      user('Look at package.json, the Makefile and .env.local; we use Node.js and process.env.'),
      assistant(call('a', 'search', { query: 'strict in tsconfig.json', body: 'console.log(1)' })),
      tool(result('a')),
    )
    const named = extractFacts(span).flatMap(({ kind, text }) => (kind === 'file-read' ? [text] : []))
    expect(named.toSorted()).toEqual(['.env.local', 'Makefile', 'package.json', 'tsconfig.json'])
  })

  test('the end of a path is not a path from the root', () => {
    const span = items(user('rename src/{ => core}/tools/bash.ts; open `${root}/lib/a.ts` and /etc/app/b.ts'))
    const named = extractFacts(span).flatMap(({ kind, text }) => (kind === 'file-read' ? [text] : []))
    expect(named).toEqual(['tools/bash.ts', 'lib/a.ts', '/etc/app/b.ts'])
  })

  test('a list that somebody drew is said, a long paste is printed', () => {
    const list = '```\nmodes/\n  selectors.ts  # pickers\n  hotkeys.ts    # keys\n```'
    const named = (message: Message) =>
      extractFacts(items(message)).flatMap(({ kind, text, by }) => (kind === 'file-read' ? [`${by} ${text}`] : []))
    expect(named(user(`Like this:\n${list}`))).toEqual(['user selectors.ts', 'user hotkeys.ts'])
    expect(named(assistant(`${'A plan. '.repeat(1_000)}\n${list}`))).toEqual([
      'assistant selectors.ts',
      'assistant hotkeys.ts',
    ])
    expect(named(user(`It prints:\n${'> ok\n'.repeat(2_000)}${list}`))).toEqual([])
  })

  test('bare names in what a tool printed count once they occur elsewhere', () => {
    const span = items(
      assistant(call('a', 'bash', { command: 'ls' })),
      tool(result('a', 'Cargo.toml\nREADME.md\nonce.yml')),
      assistant('I read the README.md.', call('b', 'bash', { command: 'git status' })),
      tool(result('b', 'modified: Cargo.toml')),
    )
    const named = extractFacts(span).flatMap(({ kind, text, by }) => (kind === 'file-read' ? [`${by} ${text}`] : []))
    expect(named.toSorted()).toEqual(['assistant README.md', 'tool Cargo.toml'])
  })
})
