import { describe, expect, test } from 'vitest'
import { resolveLimits } from '../policy/limits.ts'
import { PRESETS } from '../policy/presets.ts'
import { planFlush } from './plan-flush.ts'
import type { FlushInput } from './plan-flush.ts'

const policy = PRESETS.openclaw
const limits = resolveLimits(policy, { windowTokens: 200_000 })
const base: FlushInput = {
  usedTokens: 176_001,
  limits,
  policy,
  cycle: 0,
  flushedCycle: null,
  failuresThisCycle: 0,
}
const plan = (change: Partial<FlushInput>) => planFlush({ ...base, ...change })
const NOT_DUE = { due: false }

describe('when', () => {
  test('OPEN-08 window − floor − soft threshold: 200,000 − 20,000 − 4,000, and one token more', () => {
    expect(plan({ usedTokens: 176_000 })).toMatchObject({ due: false, reason: 'below-threshold' })
    expect(plan({ usedTokens: 176_001 })).toEqual({
      due: true,
      reason: 'due',
      numbers: { usedTokens: 176_001, thresholdTokens: 176_000, cycle: 0, flushedCycle: null, failures: 0 },
    })
  })

  test('SPEC-03 spec008 fires at the same place', () => {
    const spec = { policy: PRESETS.spec008, limits: resolveLimits(PRESETS.spec008, { windowTokens: 200_000 }) }
    expect(plan({ ...spec, usedTokens: 176_000 })).toMatchObject(NOT_DUE)
    expect(plan({ ...spec, usedTokens: 176_001 })).toMatchObject({ due: true })
  })

  test('OPEN-08 at most once a cycle, the first cycle included', () => {
    expect(plan({ flushedCycle: null })).toMatchObject({ due: true })
    expect(plan({ flushedCycle: 0 })).toMatchObject({ due: false, reason: 'already-flushed' })
    expect(plan({ cycle: 1, flushedCycle: 0 })).toMatchObject({ due: true })
    expect(plan({ cycle: 1, flushedCycle: 1 })).toMatchObject({ due: false, reason: 'already-flushed' })
    expect(plan({ cycle: 2, flushedCycle: 1 })).toMatchObject({ due: true })
  })

  test('OPEN-08 a cycle that seems to run backwards does not flush twice', () => {
    expect(plan({ cycle: 1, flushedCycle: 2 })).toMatchObject({ due: false, reason: 'already-flushed' })
  })
})

describe('when not', () => {
  test.each(['ro', 'none'] as const)('OPEN-08 skipped when workspaceAccess is %s', (workspaceAccess) => {
    expect(plan({ policy: { ...policy, workspaceAccess } })).toMatchObject({ due: false, reason: 'read-only' })
  })

  test('OPEN-08 skipped when disabled', () => {
    expect(plan({ policy: PRESETS.oneclaw })).toMatchObject({ due: false, reason: 'disabled' })
  })

  test.each([{ usedTokens: null }, { usedTokens: Number.NaN }, { limits: null }])(
    'OPEN-08 skipped while something is unknown: %o',
    (change) => {
      expect(plan(change)).toMatchObject({ due: false, reason: 'unknown' })
    },
  )

  test('LH-07 one that failed is not tried again in its cycle', () => {
    expect(plan({ failuresThisCycle: 0 })).toMatchObject({ due: true })
    expect(plan({ failuresThisCycle: 1 })).toMatchObject({ due: false, reason: 'failed-too-often' })
  })

  test('OPEN-08 a heartbeat never flushes', () => {
    expect(plan({ isHeartbeat: true })).toMatchObject({ due: false, reason: 'heartbeat' })
    expect(plan({ isHeartbeat: true, isForced: true })).toMatchObject(NOT_DUE)
  })
})

describe('forced', () => {
  test('OPEN-08 needs no threshold and no number', () => {
    expect(plan({ isForced: true, usedTokens: 10 })).toMatchObject({ due: true, reason: 'forced' })
    expect(plan({ isForced: true, usedTokens: null, limits: null })).toMatchObject({ due: true, reason: 'forced' })
  })

  test('OPEN-08 is still once a cycle, and stops where any flush stops', () => {
    expect(plan({ isForced: true, flushedCycle: 0 })).toMatchObject({ due: false, reason: 'already-flushed' })
    expect(plan({ isForced: true, failuresThisCycle: 3 })).toMatchObject({ due: false, reason: 'failed-too-often' })
    expect(plan({ isForced: true, policy: PRESETS.oneclaw })).toMatchObject({ due: false, reason: 'disabled' })
    expect(plan({ isForced: true, policy: { ...policy, workspaceAccess: 'ro' } })).toMatchObject({
      due: false,
      reason: 'read-only',
    })
  })
})
