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
  const commands = [
    command('npm test', 3),
    command('ls', 2),
    command('npm test 2>&1 | tail -5', 9),
    command('npm test | grep fail', 4),
  ].map((fact) => ({ fact, stem: stemOf(fact.text) }))
  const group = (own: number) => groupCommands(commands, own).map(({ best, others }) => [best.text, others])

  test('the best-ranked stands for those like it', () => {
    expect(group(0)).toEqual([
      ['npm test', 2],
      ['ls', 0],
    ])
  })

  test('the first ones keep their lines, later ones join them', () => {
    expect(group(3)).toEqual([
      ['npm test', 1],
      ['ls', 0],
      ['npm test 2>&1 | tail -5', 0],
    ])
    expect(group(4)).toHaveLength(4)
  })

  test('what was run more than once keeps its line', () => {
    const habit = { ...command('npm test | tail -3', 1), count: 2 }
    expect(groupCommands([...commands, { fact: habit, stem: 'npm test' }], 0).map(({ best }) => best.text)).toEqual([
      'npm test',
      'ls',
      'npm test | tail -3',
    ])
  })
})
