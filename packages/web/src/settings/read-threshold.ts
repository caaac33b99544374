import type { Preset, Session } from '@longhaul/protocol'

/** The three ways in which a policy can say when to compact. */
const TRIGGER_KEYS = ['triggerRatio', 'reserveTokens', 'triggerTokens'] as const

export interface ThresholdInput {
  readonly session: Pick<Session, 'policy'>
  readonly preset: Pick<Preset, 'policy'> | undefined
  /** In force now, with whatever the window forced on it. */
  readonly threshold: number | null
  readonly window: number | null
}

export interface ThresholdReading {
  /** What the slider shows, in percent of the window; null: nobody knows. */
  readonly percent: number | null
  readonly isOwn: boolean
  /** The policy that brings the preset's own threshold back; null: there is none to bring back. */
  readonly presetPolicy: Readonly<Record<string, unknown>> | null
}

export const MIN_PERCENT = 20
export const MAX_PERCENT = 95

export function readThreshold({ session, preset, threshold, window }: ThresholdInput): ThresholdReading {
  const own = readTrigger(session.policy)
  const ofPreset = readTrigger(preset?.policy ?? {})
  const ratio = (own ?? ofPreset)?.['triggerRatio']
  const inForce = threshold === null || window === null || window <= 0 ? null : threshold / window
  return {
    percent: toPercent(ratio ?? inForce),
    isOwn: own !== null && JSON.stringify(own) !== JSON.stringify(ofPreset),
    presetPolicy: ofPreset === null ? null : { compaction: ofPreset },
  }
}

/** What to send for a threshold of so many percent. */
export function createThresholdPolicy(percent: number): Readonly<Record<string, unknown>> {
  return { compaction: { triggerRatio: Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent)) / 100 } }
}

type Trigger = Partial<Record<(typeof TRIGGER_KEYS)[number], number>>

/** A policy sets one of the three; the others are null or absent. */
function readTrigger(policy: Readonly<Record<string, unknown>>): Trigger | null {
  const compaction = policy['compaction']
  if (typeof compaction !== 'object' || compaction === null) return null
  const values = compaction as Readonly<Record<string, unknown>>
  for (const key of TRIGGER_KEYS) {
    const value = values[key]
    if (typeof value === 'number') return { [key]: value }
  }
  return null
}

function toPercent(ratio: number | null | undefined): number | null {
  return ratio === null || ratio === undefined ? null : Math.round(ratio * 100)
}
