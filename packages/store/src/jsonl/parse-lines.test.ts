import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineParser, parseLines, splitAtHeaders } from './parse-lines.ts'

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

test('a text that comes in pieces is read as the whole text is, wherever it is cut', () => {
  const line = fc.constantFrom(
    '{"a":1}',
    '',
    '  ',
    'broken',
    '[{"b":2},3]',
    '7',
    '{',
    '"x":1}',
    '[',
    ']',
    '{"c":"ü\u2028"}\r',
  )
  const texts = fc.tuple(fc.array(line, { maxLength: 8 }), fc.boolean()).map(([lines, hasMark]) => {
    return (hasMark ? '\uFEFF' : '') + lines.join('\n')
  })
  fc.assert(
    fc.property(texts, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
      const parser = createLineParser()
      const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
      for (const [index, from] of places.slice(0, -1).entries()) parser.add(text.slice(from, places[index + 1]))
      expect(parser.finish()).toEqual(parseLines(text))
    }),
  )
})

test('a million damaged lines became a list longer than the text: the first thousand are told, and how many follow', () => {
  const { skipped } = parseLines(`{"a":1}\n${'x\n'.repeat(10_000)}`)
  expect(skipped).toHaveLength(1_001)
  expect(skipped.at(-1)).toEqual({ line: 10_001, reason: 'the last of 9000 more that were skipped' })
})

test('what is nested too deeply to be walked is no JSON', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(parseLines(`{"a":1}\n${deep}\n{"text":"${'['.repeat(2_000)}"}`)).toEqual({
    lines: [
      { line: 1, value: { a: 1 } },
      { line: 3, value: { text: '['.repeat(2_000) } },
    ],
    skipped: [{ line: 2, reason: 'not JSON' }],
  })
})
