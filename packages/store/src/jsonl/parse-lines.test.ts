import { expect, test } from 'vitest'
import { parseLines, splitAtHeaders } from './parse-lines.ts'

test('reads one object a line, with line numbers', () => {
  const { lines, skipped } = parseLines('{"a":1}\n\n{"b":2}\n')
  expect(lines).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 3, value: { b: 2 } },
  ])
  expect(skipped).toEqual([])
})

test('takes a byte order mark and Windows line ends', () => {
  expect(parseLines('\uFEFF{"a":1}\r\n{"b":2}\r\n').lines.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }])
})

test('a line separator inside a string does not end the line', () => {
  expect(parseLines('{"a":"x\u2028y\u2029z\u0085"}\n{"b":2}').lines).toHaveLength(2)
})

test('lists what is no JSON object, in order', () => {
  const { lines, skipped } = parseLines('{"a":1}\n{"cut off": \n[1]\nnull\n{"b":2}')
  expect(lines.map(({ line }) => line)).toEqual([1, 5])
  expect(skipped).toEqual([
    { line: 2, reason: 'not JSON' },
    { line: 3, reason: 'not a JSON object' },
    { line: 4, reason: 'not a JSON object' },
  ])
})

test('reads a whole document, written over several lines', () => {
  expect(parseLines('[\n  {"a": 1},\n  7,\n  {"b": 2}\n]')).toEqual({
    lines: [
      { line: 1, value: { a: 1 } },
      { line: 3, value: { b: 2 } },
    ],
    skipped: [{ line: 2, reason: 'not a JSON object' }],
  })
  expect(parseLines('{\n "messages": []\n}').lines).toEqual([{ line: 1, value: { messages: [] } }])
})

test('each damaged line belongs to the session above it', () => {
  const group = parseLines('broken\n{"head":1}\n{"a":1}\nbroken\n{"head":2}\nbroken\n{"b":1}\nbroken')
  const groups = splitAtHeaders(group, (value) => 'head' in value)
  expect(groups.map(({ lines }) => lines.map(({ line }) => line))).toEqual([
    [2, 3],
    [5, 7],
  ])
  expect(groups.map(({ skipped }) => skipped.map(({ line }) => line))).toEqual([
    [1, 4],
    [6, 8],
  ])
})

test('a file of damaged lines alone exceeded the call stack: each of them is listed', () => {
  const skipped = Array.from({ length: 300_000 }, (_, index) => ({ line: index + 2, reason: 'not JSON' }))
  const [group] = splitAtHeaders({ lines: [{ line: 1, value: { head: 1 } }], skipped }, (value) => 'head' in value)
  expect(group?.skipped.length).toBe(300_000)
})
