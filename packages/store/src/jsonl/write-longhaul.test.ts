import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'
import { arbitraryTranscript } from './testing/arbitrary-transcript.ts'
import { writeTranscript } from './write-longhaul.ts'

test('OPEN-01 what is written is read back exactly, whatever the entries hold', () => {
  fc.assert(
    fc.property(arbitraryTranscript(), (transcript) => {
      const written = writeTranscript(transcript)
      expect(readTranscripts(written)).toEqual([{ format: 'longhaul', ...transcript, skipped: [] }])
      expect(writeTranscript(readTranscripts(written)[0] ?? transcript)).toBe(written)
    }),
    { numRuns: 300 },
  )
})

test('OPEN-01 an entry of a newer version leaves as it came', () => {
  const line = '{"type":"hologram","seq":1,"id":"h","at":5,"beam":{"type":"message","deep":[null,1e-7]}}'
  const exported = `{"type":"session","version":1,"id":"s","createdAt":5,"shape":"round"}\n${line}\n`
  const [read] = readTranscripts(exported)
  expect(read?.entries).toEqual([{ type: 'unknown', seq: 1, id: 'h', at: 5, original: JSON.parse(line) }])
  expect(read && writeTranscript(read)).toBe(exported)
})

test.each([
  { type: 'hologram', seq: 9, id: 'other', at: 0 },
  { type: 'session', seq: 1, id: 'u', at: 0, createdAt: 1 },
  { type: 'artifact', seq: 1, id: 'u', at: 0, content: 'x' },
  { type: 'pin', seq: 1, id: 'u', at: 0, text: 'readable by now' },
  { anything: true },
])('OPEN-01 an unknown entry that could be taken for something else keeps its wrapper: %j', (original) => {
  const entry = { type: 'unknown', seq: 1, id: 'u', at: 0, original } as const
  const transcript = { session: { id: 's', createdAt: 1 }, entries: [entry], artifacts: [] }
  expect(readTranscripts(writeTranscript(transcript))[0]?.entries).toEqual([entry])
})

test('writes one line per entry for readers that break lines at every separator', () => {
  const part = { type: 'text', text: 'a\u2028b\u2029c\u0085d' } as const
  const entry = { type: 'message', seq: 1, id: 'm', at: 0, role: 'user', parts: [part] } as const
  const written = writeTranscript({ session: { id: 's', createdAt: 0 }, entries: [entry], artifacts: [] })
  expect(written.split(/[\n\u2028\u2029\u0085]/)).toHaveLength(3)
})
