import type { ContextPolicy } from '../policy/policy.ts'
import type { Limits } from '../policy/limits.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { CompactionReason, EntryRef } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import type { SummaryDocument } from '../transcript/summary-document.ts'
import type { BaseMove, CompactionPlan, NoCompaction, NothingToCompact } from './compaction-plan.ts'
import { findKept } from './keep-rule.ts'
import type { Kept } from './keep-rule.ts'

export interface CompactionInput {
  /** Everything the context holds as messages: what the base carries, then the window. */
  readonly items: readonly Item[]
  /** How many of the items are carried from before the window. */
  readonly carriedCount: number
  readonly base: EntryRef | null
  readonly document: SummaryDocument | null
  readonly epoch: number
  readonly policy: ContextPolicy
  readonly limits: Limits | null
  readonly tokensBefore: number
  readonly ratio: number
  readonly reason: CompactionReason
  readonly strategy: string
  readonly instructions?: string
}

/** What a compaction would replace and keep; or why there is nothing to do. */
export function planCompaction(input: CompactionInput): CompactionPlan | NoCompaction {
  const { items, limits, policy, reason } = input
  if (limits === null) return nothing('window-unknown')
  if (items.length === 0) return nothing('no-messages')
  const isAutomatic = reason === 'threshold' || reason === 'prepared'
  if (items.length === 1 || (isAutomatic && items.length <= policy.compaction.minMessages))
    return nothing('too-few-messages')
  const plan = planSpan(input, limits, false)
  if (plan !== null || isAutomatic) return plan ?? nothing('all-protected')
  // Somebody asked for it, or the request does not fit: then only what must be kept is kept.
  return planSpan(input, limits, true) ?? nothing('all-protected')
}

function planSpan(input: CompactionInput, limits: Limits, isMinimal: boolean): CompactionPlan | null {
  const { items, policy, ratio } = input
  const { estimator, compaction } = policy
  const kept = findKept({ items, policy: compaction, limits, estimator, ratio, isMinimal })
  const span = items.slice(0, kept.start).filter((_, index) => !kept.carried.includes(index))
  // A rule that counts messages leaves a zone of one alone: summarising it could not pay.
  const minSpan = compaction.keepMessages === null ? 1 : 2
  if (kept.start <= input.carriedCount || span.length < minSpan) return null
  const spanTokens = span.reduce((sum, item) => sum + estimateMessage(item.message, estimator), 0)
  return {
    action: 'compact',
    reason: input.reason,
    strategy: input.strategy,
    ...(input.instructions === undefined ? {} : { instructions: input.instructions }),
    move: createMove(items, kept, input.base),
    span,
    kept: items.filter((_, index) => index >= kept.start || kept.carried.includes(index)),
    previousDocument: input.document,
    tokensBefore: input.tokensBefore,
    spanTokens: Math.ceil(spanTokens * ratio),
    epoch: input.epoch,
  }
}

export function createMove(items: readonly Item[], kept: Kept, base: EntryRef | null): BaseMove {
  const first = items[kept.start]?.entry
  return {
    fromSeq: first?.seq ?? (items.at(-1)?.entry.seq ?? 0) + 1,
    firstKept: first === undefined ? null : { id: first.id, seq: first.seq, at: first.at },
    carried: kept.carried.flatMap((index) => {
      const entry = items[index]?.entry
      return entry === undefined ? [] : [{ id: entry.id, seq: entry.seq }]
    }),
    previous: base,
  }
}

function nothing(reason: NothingToCompact): NoCompaction {
  return { action: 'none', reason }
}
