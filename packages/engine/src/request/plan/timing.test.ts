import { describe, expect, test } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import type { PresetName } from '../../policy/presets.ts'
import { timeCompaction, timeFlush } from './timing.ts'
import type { DueWork, Timing } from './timing.ts'

const ROWS: readonly (readonly [PresetName, Readonly<Record<DueWork, Timing>>, flush: Timing])[] = [
  ['longhaul', { prepare: 'ahead', threshold: 'beside', window: 'wait' }, 'beside'],
  ['oneclaw', { prepare: 'ahead', threshold: 'beside', window: 'wait' }, 'beside'],
  ['openclaw', { prepare: 'ahead', threshold: 'beside', window: 'wait' }, 'beside'],
  // Their documents say that they compact before the call.
  ['micro', { prepare: 'ahead', threshold: 'wait', window: 'wait' }, 'wait'],
  ['spec008', { prepare: 'ahead', threshold: 'wait', window: 'wait' }, 'wait'],
]

describe('a threshold is a wish, the window is a wall', () => {
  test.each(ROWS)('LH-08 %s', (preset, compactions, flush) => {
    const { compaction } = PRESETS[preset]
    for (const [due, timing] of Object.entries(compactions) as [DueWork, Timing][])
      expect(timeCompaction(due, compaction), due).toBe(timing)
    expect(timeFlush(compaction), 'flush').toBe(flush)
  })
})
