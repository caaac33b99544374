import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const example = 'examples/engine-in-your-loop.ts'

test('the engine works in somebody else’s loop: what is stored grows, what is sent stays below its limit', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [example], { cwd: root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const turns = [...stdout.matchAll(/^(\d+) stored, (\d+) sent, (\d+) tokens$/gm)].map(([, stored, sent, tokens]) => ({
    stored: Number(stored),
    sent: Number(sent),
    tokens: Number(tokens),
  }))
  expect(turns.map(({ stored }) => stored)).toEqual(Array.from({ length: 30 }, (_, turn) => 2 * (turn + 1)))
  const compactions = turns.filter(({ sent }, turn) => sent < (turns[turn - 1]?.sent ?? 0))
  expect(compactions.length).toBeGreaterThan(0)
  // A quarter of the window of 16,000 is kept free for the answer.
  expect(Math.max(...turns.map(({ tokens }) => tokens))).toBeLessThanOrEqual(12_000)
})

test('the example is short, and the README shows it as it is', () => {
  const text = readFileSync(join(root, example), 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(text)
})
