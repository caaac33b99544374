import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import type { CompactionPolicy } from '../policy/policy.ts'
import { findTrigger } from './trigger.ts'
import type { CheckPoint, Trigger } from './trigger.ts'

const CHECK_POINTS: readonly CheckPoint[] = ['before-turn', 'before-step', 'after-response']

interface Case {
  readonly preset: PresetName
  readonly usedTokens: number
  readonly checkPoint: CheckPoint
  readonly windowTokens?: number
  readonly isExempt?: boolean
  readonly change?: Partial<CompactionPolicy>
}

function limitsOf(preset: PresetName, windowTokens = 200_000): Limits {
  return resolveLimits(PRESETS[preset], { windowTokens }) as Limits
}

function trigger({ preset, usedTokens, checkPoint, windowTokens, isExempt = false, change = {} }: Case): Trigger {
  const policy = { ...PRESETS[preset].compaction, ...change }
  return findTrigger({ usedTokens, limits: limitsOf(preset, windowTokens), policy, checkPoint, isExempt })
}

/** At which of the three check points something is due. */
function dueAt(rest: Omit<Case, 'checkPoint'>): readonly Trigger['due'][] {
  return CHECK_POINTS.map((checkPoint) => trigger({ ...rest, checkPoint }).due)
}

describe('the threshold', () => {
  it('ONE-10 is passed above 85 % of the window, not at it, and only after a complete response', () => {
    expect(dueAt({ preset: 'oneclaw', usedTokens: 170_000 })).toEqual([null, null, null])
    expect(dueAt({ preset: 'oneclaw', usedTokens: 170_001 })).toEqual([null, null, 'threshold'])
    expect(dueAt({ preset: 'oneclaw', usedTokens: 108_800, windowTokens: 128_000 })).toEqual([null, null, null])
    expect(dueAt({ preset: 'oneclaw', usedTokens: 108_801, windowTokens: 128_000 })).toEqual([null, null, 'threshold'])
  })

  it('OPEN-11 is the window less the reserve, which is never below the floor', () => {
    expect(dueAt({ preset: 'openclaw', usedTokens: 180_000 })).toEqual([null, null, null])
    expect(dueAt({ preset: 'openclaw', usedTokens: 180_001 })).toEqual([null, null, 'threshold'])
    const larger = { ...PRESETS.openclaw, compaction: { ...PRESETS.openclaw.compaction, reserveTokens: 30_000 } }
    expect(resolveLimits(larger, { windowTokens: 200_000 })?.triggerTokens).toBe(170_000)
    const lowFloor = { ...PRESETS.openclaw, compaction: { ...PRESETS.openclaw.compaction, reserveTokensFloor: 0 } }
    expect(resolveLimits(lowFloor, { windowTokens: 200_000 })?.triggerTokens).toBe(183_616)
  })

  it('MICRO-03 is 80,000 tokens, after the user’s message and after tool results', () => {
    expect(dueAt({ preset: 'micro', usedTokens: 80_000 })).toEqual([null, null, null])
    expect(dueAt({ preset: 'micro', usedTokens: 80_001 })).toEqual(['threshold', 'threshold', null])
  })

  it('SPEC-03 is looked at before the user’s turn', () => {
    expect(dueAt({ preset: 'spec008', usedTokens: 180_000 })).toEqual([null, null, null])
    expect(dueAt({ preset: 'spec008', usedTokens: 180_001 })).toEqual(['threshold', null, null])
  })

  it('longhaul looks at every step and after the reply', () => {
    expect(dueAt({ preset: 'longhaul', usedTokens: 160_001 })).toEqual(['threshold', 'threshold', 'threshold'])
  })

  it('says which number it compared with', () => {
    expect(trigger({ preset: 'oneclaw', usedTokens: 1, checkPoint: 'after-response' }).thresholdTokens).toBe(170_000)
    expect(trigger({ preset: 'longhaul', usedTokens: 151_000, checkPoint: 'before-turn' }).thresholdTokens).toBe(
      150_000,
    )
  })
})

describe('the window', () => {
  it.each(Object.keys(PRESETS) as PresetName[])(
    'ONE-09 a request that would not fit is never sent first: %s',
    (preset) => {
      const { inputTokens } = limitsOf(preset, 64_000)
      const [turn, step] = dueAt({ preset, usedTokens: inputTokens + 1, windowTokens: 64_000 })
      expect([turn, step]).toEqual(['window', 'window'])
      expect(dueAt({ preset, usedTokens: inputTokens, windowTokens: 64_000 })).not.toContain('window')
    },
  )

  it('ONE-10 is no reason after a response: nothing is about to be sent', () => {
    expect(dueAt({ preset: 'oneclaw', usedTokens: 199_999 })[2]).toBe('threshold')
    expect(dueAt({ preset: 'micro', usedTokens: 199_999 })[2]).toBeNull()
  })
})

describe('what holds it back', () => {
  it('OPEN-11 enabled: false stops everything automatic', () => {
    const change = { enabled: false }
    for (const preset of Object.keys(PRESETS) as PresetName[]) {
      expect(dueAt({ preset, usedTokens: 199_999, change })).toEqual([null, null, null])
    }
  })

  it('MICRO-08 so does the strategy none', () => {
    expect(dueAt({ preset: 'micro', usedTokens: 199_999, change: { strategy: 'none' } })).toEqual([null, null, null])
  })

  it('an undo exempts up to the hard limit, and from preparing too', () => {
    const { inputTokens } = limitsOf('longhaul')
    expect(dueAt({ preset: 'longhaul', usedTokens: inputTokens, isExempt: true })).toEqual([null, null, null])
    expect(dueAt({ preset: 'longhaul', usedTokens: inputTokens + 1, isExempt: true })).toEqual([
      'window',
      'window',
      'threshold',
    ])
    expect(
      trigger({ preset: 'longhaul', usedTokens: 1, checkPoint: 'before-turn', isExempt: true }).thresholdTokens,
    ).toBe(inputTokens)
  })
})

describe('preparing', () => {
  it('starts above prepareRatio, at every check point, where the policy has one', () => {
    expect(dueAt({ preset: 'longhaul', usedTokens: 150_000 })).toEqual([null, null, null])
    expect(dueAt({ preset: 'longhaul', usedTokens: 150_001 })).toEqual(['prepare', 'prepare', 'prepare'])
    expect(dueAt({ preset: 'micro', usedTokens: 79_999 })).toEqual([null, null, null])
  })
})
