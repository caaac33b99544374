import type { Limits } from '../policy/limits.ts'
import type { CompactionPolicy } from '../policy/policy.ts'

/** The moments at which a context is looked at: a message has come, tool results have come, or the reply is complete. */
export type CheckPoint = 'before-turn' | 'before-step' | 'after-response'

export interface TriggerInput {
  readonly usedTokens: number
  readonly limits: Limits
  readonly policy: CompactionPolicy
  readonly checkPoint: CheckPoint
  /** After an undo the threshold gives way to the hard limit. */
  readonly isExempt: boolean
  /** A summary is under way, and the answer can do with less room until it is there. */
  readonly isUnderWay?: boolean
}

export interface Trigger {
  readonly due: 'threshold' | 'window' | 'prepare' | null
  readonly thresholdTokens: number | null
}

/** False: nothing is summarized, flushed or left out unless somebody asks for it or a provider refuses a request. */
export function isAutomatic({ enabled, strategy }: CompactionPolicy): boolean {
  return enabled && strategy !== 'none'
}

/** Is it time? `window` means the next request would not fit at all, which no choice of check point puts off. */
export function findTrigger(input: TriggerInput): Trigger {
  const { usedTokens, limits, policy, checkPoint, isExempt, isUnderWay = false } = input
  const thresholdTokens = isExempt ? limits.inputTokens : limits.triggerTokens
  const isRequestNext = checkPoint !== 'after-response'
  if (!isAutomatic(policy)) return { due: null, thresholdTokens }
  const wallTokens = isUnderWay ? limits.wallTokens : limits.inputTokens
  if (isRequestNext && usedTokens > wallTokens) return { due: 'window', thresholdTokens: wallTokens }
  if (isCheckedAt(policy, checkPoint) && usedTokens > thresholdTokens) return { due: 'threshold', thresholdTokens }
  const { prepareTokens } = limits
  if (prepareTokens !== null && !isExempt && usedTokens > prepareTokens)
    return { due: 'prepare', thresholdTokens: prepareTokens }
  return { due: null, thresholdTokens }
}

/** A policy whose work runs beside the conversation also looks after the reply: that is the best time to begin. */
export function isCheckedAt({ check, timing }: CompactionPolicy, checkPoint: CheckPoint): boolean {
  switch (check) {
    case 'after-response':
      return checkPoint === 'after-response'
    case 'before-turn':
      return checkPoint === 'before-turn'
    case 'every-step':
      return checkPoint !== 'after-response' || timing === 'beside'
    default:
      return check satisfies never
  }
}
