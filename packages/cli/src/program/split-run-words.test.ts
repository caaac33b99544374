import { expect, it } from 'vitest'
import { splitRunWords } from './split-run-words.ts'

it.each([
  ['run claude --data x -p', 'run claude', '--data x -p'],
  ['--data run run --port 0 codex exec --json', '--data run run --port 0 codex', 'exec --json'],
  ['run --port=0 -- env --help', 'run --port=0', 'env --help'],
  ['run claude -- run', 'run claude', '-- run'],
  ['run --help', 'run --help', ''],
  ['run', 'run', ''],
  ['chat run claude', 'chat run claude', ''],
  ['', '', ''],
])('%s', (words, own, rest) => {
  const split = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
  expect(splitRunWords(split(words))).toEqual({ own: split(own), rest: split(rest) })
})
