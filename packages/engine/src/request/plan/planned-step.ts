import type { CompactionPlan, TrimPlan } from '../../compaction/compaction-plan.ts'
import type { PrunePlan } from '../../pruning/prune-plan.ts'
import type { Reading } from '../../tokens/meter.ts'
import type { CompactionReason } from '../../transcript/entry.ts'
import type { Culprit } from './find-culprit.ts'
import type { Timing } from './timing.ts'

export interface PlanNumbers {
  readonly tokens: number | null
  readonly source: Reading['source']
  readonly windowTokens: number | null
  readonly thresholdTokens: number | null
  readonly messages: number
}

/** What to do next and why, as data: logs, events, tests and screens print the same plan. */
export type Plan = PlannedStep & { readonly numbers: PlanNumbers }

export type PlannedStep =
  | {
      readonly action: 'proceed'
      /** `under-way`: something is due and runs beside the conversation. */
      readonly reason: 'fits' | 'over-limit' | 'window-unknown' | 'nothing-to-free' | 'under-way'
    }
  | { readonly action: 'prune'; readonly reason: string; readonly prune: PrunePlan }
  | { readonly action: 'flush'; readonly reason: string; readonly timing: Exclude<Timing, 'ahead'> }
  | {
      readonly action: 'compact'
      readonly reason: CompactionReason
      readonly timing: Timing
      readonly compaction: CompactionPlan
    }
  | { readonly action: 'trim'; readonly reason: TrimPlan['reason']; readonly trim: TrimPlan }
  | { readonly action: 'block'; readonly reason: 'cannot-fit'; readonly culprit: Culprit }
