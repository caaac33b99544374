import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StoreError } from '../store-error.ts'
import { readTranscripts } from './read-transcripts.ts'
import { writeTranscript } from './write-longhaul.ts'

const message = (seq: number, text: string) =>
  ({ type: 'message', seq, id: `m${seq}`, at: seq, role: 'user', parts: [{ type: 'text', text }] }) as const

test.each(['', ' \r\n ', '\uFEFF', 'hello', '[]', '{}', '7', '{"type":"invoice"}', 'date,amount\n1,2'])(
  'refuses %j with what it expected',
  (text) => {
    expect(() => readTranscripts(text)).toThrow(StoreError)
    expect(() => readTranscripts(text)).toThrow(/^The transcript .+ Expected a Longhaul/)
  },
)

test('reads several exports in one file', () => {
  const one = writeTranscript({ session: { id: 'one', createdAt: 1 }, entries: [message(1, 'a')], artifacts: [] })
  const two = writeTranscript({ session: { id: 'two', createdAt: 2 }, entries: [message(1, 'b')], artifacts: [] })
  const sessions = readTranscripts(`${one}damaged\n${two}`)
  expect(sessions.map(({ session }) => session.id)).toEqual(['one', 'two'])
  expect(sessions.map(({ skipped }) => skipped)).toEqual([[{ line: 3, reason: 'not JSON' }], []])
})

const scraps = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      type: fc.constantFrom(
        'session',
        'message',
        'user',
        'assistant',
        'compaction',
        'system',
        'artifact',
        'reset',
        'x',
      ),
      kind: fc.constantFrom('header', 'entry', 'lane'),
      id: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
      parentId: fc.oneof(fc.constantFrom('a', 'b', null), fc.jsonValue()),
      uuid: fc.constantFrom('a', 'b'),
      parentUuid: fc.constantFrom('a', 'b', null),
      createdAt: fc.jsonValue(),
      timestamp: fc.jsonValue(),
      message: fc.oneof(
        fc.jsonValue(),
        fc.record({
          role: fc.constantFrom('user', 'assistant', 'toolResult', 'system', 'bashExecution'),
          content: fc.oneof(
            fc.jsonValue(),
            fc.array(fc.record({ type: fc.constantFrom('text', 'tool_use', 'image') })),
          ),
        }),
      ),
      messages: fc.array(fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: fc.jsonValue() })),
      isCompactSummary: fc.boolean(),
      subtype: fc.constantFrom('compact_boundary', 'other'),
      firstKeptEntryIndex: fc.integer(),
      firstKeptEntryId: fc.constantFrom('a', 'b'),
      compactMetadata: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
)

function readOrRefuse(text: string) {
  try {
    return readTranscripts(text)
  } catch (error) {
    if (error instanceof StoreError) return []
    throw error
  }
}

test('no text makes it throw anything but its own error, and what it gives back is numbered and unique', () => {
  const line = fc.oneof(
    scraps.map((scrap) => JSON.stringify(scrap)),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      for (const { entries } of readOrRefuse(lines.join('\n'))) {
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
      }
    }),
    { numRuns: 500 },
  )
})

test('ten thousand lines take no time to speak of', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => ({
    type: index % 2 === 0 ? 'user' : 'assistant',
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    message: { id: `msg${index}`, content: [{ type: 'text', text: 'word '.repeat(60) }] },
  }))
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  expect(text.length).toBeGreaterThan(3_000_000)
  const start = performance.now()
  expect(readTranscripts(text)[0]?.entries).toHaveLength(10_000)
  expect(performance.now() - start).toBeLessThan(2_000)
})
