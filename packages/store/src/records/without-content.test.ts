import { createState, foldEntries } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryTranscript } from '../jsonl/testing/arbitrary-transcript.ts'
import { assistant, compaction, numberLines, toolCall, toolResult, user } from '../testing/build-entries.ts'
import { withoutContent } from './without-content.ts'

it('no head depends on content: the fold without it is the same', () => {
  fc.assert(
    fc.property(arbitraryTranscript(), ({ entries }) => {
      expect(foldEntries(entries.map(withoutContent)).head).toEqual(foldEntries(entries).head)
    }),
    { numRuns: 200 },
  )
})

it('compactions, undo and reset move the base just the same', () => {
  const entries = numberLines([
    user('One'),
    assistant('Two', { input: 10, output: 2 }),
    compaction(2),
    toolCall('read_file', { path: 'a' }),
    toolResult('long'),
    { type: 'compaction-undone', compaction: 'e3' },
    compaction(4),
    { type: 'reset' },
    user('Three'),
  ])
  let state = createState()
  let plain = createState()
  for (const entry of entries) {
    state = foldEntries([entry], state)
    plain = foldEntries([withoutContent(entry)], plain)
    expect(plain.head).toEqual(state.head)
  }
  expect(state.head).toMatchObject({ compactionCount: 2, base: { kind: 'reset' }, totals: { messages: 5 } })
})
