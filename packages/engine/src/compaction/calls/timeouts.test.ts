import { expect, test } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { besideTimeouts, waitedTimeouts } from './timeouts.ts'

test('ONE-16 beside the conversation a call has 30 s, the whole as much for each attempt, four times that when chunked', () => {
  expect(besideTimeouts(PRESETS.oneclaw)).toEqual({ callMs: 30_000, totalMs: 60_000 })
  expect(besideTimeouts(PRESETS.openclaw)).toEqual({ callMs: 30_000, totalMs: 120_000 })
  expect(besideTimeouts(PRESETS.longhaul)).toEqual({ callMs: 30_000, totalMs: 120_000 })
})

test.each(['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul'] as const)(
  'ONE-20 a compaction that somebody waits for has 15 s as a whole, less what the turn has waited already: %s',
  (preset) => {
    expect(waitedTimeouts(PRESETS[preset], Infinity)).toEqual({ callMs: 15_000, totalMs: 15_000 })
    expect(waitedTimeouts(PRESETS[preset], 4_000)).toEqual({ callMs: 4_000, totalMs: 4_000 })
    expect(waitedTimeouts(PRESETS[preset], -1)).toEqual({ callMs: 0, totalMs: 0 })
  },
)
