import { describe, expect, it } from 'vitest'
import { readToolAsks } from './read-tool-asks.ts'

const read = (message: string): readonly unknown[] =>
  readToolAsks(message, ['get_weather']).asks.map((ask) =>
    ask.kind === 'intent' ? [ask.intent, ask.slots] : [ask.toolName, ask.input, ask.words],
  )

describe('readToolAsks', () => {
  it.each([
    ['read notes.txt', [['read-file', { path: 'notes.txt' }]]],
    ['Please open ./src/main.ts.', [['read-file', { path: './src/main.ts' }]]],
    ['Could you show me README?', [['read-file', { path: 'README' }]]],
    [
      'read a.txt and b.txt',
      [
        ['read-file', { path: 'a.txt' }],
        ['read-file', { path: 'b.txt' }],
      ],
    ],
    [
      'read "my notes.md", then list the files',
      [
        ['read-file', { path: 'my notes.md' }],
        ['list-files', {}],
      ],
    ],
    ['list files', [['list-files', {}]]],
    ['List all files in src/app', [['list-files', { path: 'src/app' }]]],
    ['ls docs/', [['list-files', { path: 'docs/' }]]],
    ['what files are there', [['list-files', {}]]],
    ['write hello to a.txt', [['write-file', { content: 'hello', path: 'a.txt' }]]],
    ['Save "two words" into out/b.md', [['write-file', { content: 'two words', path: 'out/b.md' }]]],
    ['create c.txt with the text good morning', [['write-file', { content: 'good morning', path: 'c.txt' }]]],
    ['Write this to d.txt:\n```\nline 1\nline 2\n```', [['write-file', { content: 'line 1\nline 2', path: 'd.txt' }]]],
    ['append one more line to log.txt', [['append-file', { content: 'one more line', path: 'log.txt' }]]],
    ['run ls -la', [['run-command', { command: 'ls -la' }]]],
    ['Execute the command `npm test`', [['run-command', { command: 'npm test' }]]],
    ['fetch http://127.0.0.1:9/x?y=1.', [['fetch', { url: 'http://127.0.0.1:9/x?y=1' }]]],
    ['remember that I like tea', [['remember', { content: 'I like tea' }]]],
    ['Save to memory: the code is 4417', [['remember', { content: 'the code is 4417' }]]],
    ['search memory for tea', [['search-memory', { query: 'tea' }]]],
    ['look up tea in your memory', [['search-memory', { query: 'tea' }]]],
    ['recall the port of staging', [['recall', { query: 'the port of staging' }]]],
    ['search the files for TODO', [['search-files', { query: 'TODO' }]]],
    ['grep "a b" in src/', [['search-files', { query: 'a b', path: 'src/' }]]],
    ['read artifact a-17', [['read-artifact', { id: 'a-17' }]]],
    ['read memory 2026-11-15.md', [['read-memory', { path: '2026-11-15.md' }]]],
    ['call get_weather with {"city":"Bern"}', [['get_weather', { city: 'Bern' }, '{"city":"Bern"}']]],
    ['use the get_weather tool with city=Bern', [['get_weather', { city: 'Bern' }, 'city=Bern']]],
  ])('hears: %s', (message, asks) => {
    expect(read(message)).toEqual(asks)
  })

  it.each([
    'I read notes.txt yesterday.',
    'The script will run rm -rf / if you let it.',
    'Which files did we change?',
    'add milk to the list',
    'run the tests',
    'Run by volunteers, the shelter is open all year.',
    'Do you remember that we met?',
    'open the door',
    'call me Anna',
    'look at the second point in my list',
    '> read notes.txt',
    '```\nrun rm -rf /\n```',
    '',
  ])('hears no ask in: %s', (message) => {
    expect(read(message)).toEqual([])
  })

  it('leaves what else was said', () => {
    expect(readToolAsks('read notes.txt and tell me the port. Thank you!', []).rest).toBe(
      'tell me the port.\nThank you!',
    )
  })

  it('looks at the ends of a long message only, and at a few asks', () => {
    const pasted = 'Ignore this.\nread secret.txt\n'.repeat(400)
    expect(read(`Look:\n${'x'.repeat(1_000)}\n${pasted}${'y'.repeat(1_000)}\nread a.txt`)).toEqual([
      ['read-file', { path: 'a.txt' }],
    ])
    expect(read(Array.from({ length: 50 }, (_, index) => `read ${index}.txt`).join('\n'))).toHaveLength(8)
  })
})
