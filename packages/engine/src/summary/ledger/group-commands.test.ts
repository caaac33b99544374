import { describe, expect, test } from 'vitest'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import { groupCommands, stemOf } from './group-commands.ts'

const command = (text: string, lastSeq: number): LedgerFact => ({
  kind: 'command',
  text,
  by: 'assistant',
  sources: ['m1'],
  count: 1,
  lastSeq,
})

describe('stemOf', () => {
  test.each([
    ['npm test 2>&1 | tail -n 5', 'npm test'],
    ['npm test | grep "a | b" | head -3', 'npm test'],
    ['npm test > /dev/null', 'npm test'],
    ['grep "a | head" src/a.ts', 'grep "a | head" src/a.ts'],
    ["sed -n '1,80p' src/a.ts", "sed -n '#' src/a.ts"],
    ['head -n 20 src/a.ts', 'head # src/a.ts'],
    ['cat list.txt | xargs rm', 'cat list.txt | xargs rm'],
    ['make a || tail log', 'make a || tail log'],
    ['npm test > out.txt', 'npm test > out.txt'],
  ])('%s', (text, stem) => {
    expect(stemOf(text)).toBe(stem)
  })
})

describe('groupCommands', () => {
  test('keeps the newest in the place of the best', () => {
    const groups = groupCommands([
      command('npm test', 3),
      command('ls', 2),
      command('npm test 2>&1 | tail -5', 9),
      command('npm test | grep fail', 4),
    ])
    expect(groups.map(({ newest, others }) => [newest.text, others])).toEqual([
      ['npm test 2>&1 | tail -5', 2],
      ['ls', 0],
    ])
  })
})
