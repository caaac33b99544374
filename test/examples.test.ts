import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const example = 'examples/engine-in-your-loop.ts'

function run(path: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { cwd: root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

test('the engine works in somebody else’s loop: what is stored grows, what is sent stays below its limit', () => {
  const turns = [...run(example).matchAll(/^(\d+) stored, (\d+) sent, (\d+) tokens$/gm)].map(
    ([, stored, sent, tokens]) => ({
      stored: Number(stored),
      sent: Number(sent),
      tokens: Number(tokens),
    }),
  )
  expect(turns.map(({ stored }) => stored)).toEqual(Array.from({ length: 30 }, (_, turn) => 2 * (turn + 1)))
  const compactions = turns.filter(({ sent }, turn) => sent < (turns[turn - 1]?.sent ?? 0))
  expect(compactions.length).toBeGreaterThan(0)
  // A quarter of the window of 16,000 is kept free for the answer.
  expect(Math.max(...turns.map(({ tokens }) => tokens))).toBeLessThanOrEqual(12_000)
})

test('the example is short, and the README shows it as it is', () => {
  const text = readFileSync(join(root, example), 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(text)
})

test('an AI SDK app needs at most 25 lines: a book longer than the window is read to its end', () => {
  const tokens = [...run('examples/ai-sdk/read-a-book.ts').matchAll(/, (\d+) tokens$/gm)].map(([, count]) =>
    Number(count),
  )
  expect(tokens).toHaveLength(40)
  expect(Math.max(...tokens)).toBeLessThanOrEqual(12_000)
  const text = readFileSync(join(root, 'examples/ai-sdk/read-a-book.ts'), 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
})

test('an agent with a tool of one’s own answers from the tool and from what was said', () => {
  const output = run('examples/agent-with-your-tools.ts')
  expect(output).toContain('[bed_size]')
  expect(output).toContain('> The shed key hangs behind the door.')
})

test('MICRO-08 a strategy of one’s own writes the summaries', () => {
  expect(run('examples/your-own-strategy.ts')).toMatch(/^[1-9]\d* compactions\nUser: Note 1\./)
})

test('a store of one’s own runs the conformance suite', () => {
  expect(run('examples/your-own-store.ts')).toMatch(/^All \d{3} promises are kept\.\n$/)
})
