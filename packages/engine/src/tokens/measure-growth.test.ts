import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryEntries } from '../testing/arbitrary-conversation.ts'
import { assistant, call, entry, result, tool, user } from '../testing/build-conversation.ts'
import type { EntryFields } from '../testing/build-conversation.ts'
import type { Message } from '../transcript/message.ts'
import { measureGrowth } from './measure-growth.ts'

type Said = Message | readonly [Message, EntryFields]

const ask = user('go on')
const billed = (input: number, more: EntryFields = {}): Said => [
  assistant('done'),
  { usage: { input, output: 10 }, ...more },
]
const step = (input: number): readonly Said[] => [
  [assistant(call('a')), { usage: { input, output: 10 } }],
  tool(result('a')),
]

function grow(...said: readonly Said[]): readonly number[] {
  const entries = said.map((line, index) => ('role' in line ? entry(index + 1, line) : entry(index + 1, ...line)))
  return measureGrowth(entries, 'a/one')
}

describe('measureGrowth', () => {
  it('LH-01 tells what each turn added, but not the first, of which nobody saw the beginning', () => {
    expect(grow(ask, billed(1_000), ask, billed(1_400), ask, billed(2_000))).toStrictEqual([400, 600])
    expect(grow(ask, billed(1_000))).toStrictEqual([])
    expect(grow()).toStrictEqual([])
  })

  it('LH-01 counts a turn of many steps as one', () => {
    expect(grow(ask, billed(1_000), ask, ...step(1_500), ...step(9_000), billed(9_200))).toStrictEqual([8_200])
  })

  it('LH-01 does not take a compaction in the middle of a turn for shrinking', () => {
    const turn = [...step(90_000), ...step(170_000), ...step(30_000), billed(42_000)]
    expect(grow(ask, billed(80_000), ask, ...turn)).toStrictEqual([10_000 + 80_000 + 12_000])
  })

  it('LH-01 leaves out a turn that still runs', () => {
    const ended = [ask, billed(1_000), ask, billed(1_400)]
    expect(grow(...ended, ask)).toStrictEqual([400])
    expect(grow(...ended, ask, ...step(5_000))).toStrictEqual([400])
  })

  it.each<[string, EntryFields]>([
    ['a failed call', { finish: 'error' }],
    ['a cancelled call', { finish: 'aborted' }],
    ['another model', { model: 'b/two' }],
    ['nothing', { usage: { input: 0, output: 300 } }],
  ])('LH-01 learns nothing from the bill of %s', (_, fields) => {
    expect(grow(ask, billed(1_000), ask, billed(90_000, fields), ask, billed(1_900))).toStrictEqual([900])
  })

  it('LH-01 knows nothing where nothing is billed', () => {
    expect(grow(ask, assistant('a'), ask, assistant('b'), ask, assistant('c'), ask, assistant('d'))).toStrictEqual([])
  })

  it('LH-01 is never below 0', () => {
    fc.assert(
      fc.property(arbitraryEntries(), (entries) => {
        expect(measureGrowth(entries, null).every((tokens) => tokens >= 0)).toBe(true)
      }),
    )
  })
})
