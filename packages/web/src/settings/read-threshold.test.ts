import { describe, expect, it } from 'vitest'
import { createThresholdPolicy, readThreshold } from './read-threshold.ts'

const LONGHAUL = { policy: { compaction: { triggerRatio: 0.8, reserveTokens: null, triggerTokens: null } } }
const MICRO = { policy: { compaction: { triggerRatio: null, reserveTokens: null, triggerTokens: 80_000 } } }
const NUMBERS = { threshold: 160_000, window: 200_000 }

describe('ONE-18 the threshold setting', () => {
  it("starts at the preset's own", () => {
    expect(readThreshold({ session: { policy: {} }, preset: LONGHAUL, ...NUMBERS })).toMatchObject({
      percent: 80,
      isOwn: false,
    })
  })

  it("shows the session's own and knows the way back", () => {
    const session = { policy: { compaction: { triggerRatio: 0.6 } } }
    expect(readThreshold({ session, preset: MICRO, ...NUMBERS })).toEqual({
      percent: 60,
      isOwn: true,
      presetPolicy: { compaction: { triggerTokens: 80_000 } },
    })
    const same = { policy: { compaction: { triggerRatio: 0.8 } } }
    expect(readThreshold({ session: same, preset: LONGHAUL, ...NUMBERS }).isOwn).toBe(false)
  })

  it('reads the share off the numbers in force where the preset counts in tokens', () => {
    expect(readThreshold({ session: { policy: {} }, preset: MICRO, threshold: 80_000, window: 200_000 }).percent).toBe(
      40,
    )
    const unknown = { session: { policy: {} }, preset: undefined, threshold: null, window: null }
    expect(readThreshold(unknown)).toEqual({ percent: null, isOwn: false, presetPolicy: null })
  })

  it('sends a share within its bounds', () => {
    expect(createThresholdPolicy(70)).toEqual({ compaction: { triggerRatio: 0.7 } })
    expect(createThresholdPolicy(100)).toEqual({ compaction: { triggerRatio: 0.95 } })
    expect(createThresholdPolicy(-5)).toEqual({ compaction: { triggerRatio: 0.2 } })
  })
})
