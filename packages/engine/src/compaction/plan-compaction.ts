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
  readonly requestId?: string
  /** Keeps only what must be kept. */
  readonly isMinimal?: boolean
}

/** What a compaction would replace and keep; or why there is nothing to do. */
export function planCompaction(input: CompactionInput): CompactionPlan | NoCompaction {
  const { items, limits, policy, reason } = input
  if (limits === null) return nothing('window-unknown')
  if (items.length === 0) return nothing('no-messages')
  const isAutomatic = isAutomaticReason(reason)
  if (items.length === 1 || (isAutomatic && items.length <= policy.compaction.minMessages))
    return nothing('too-few-messages')
  const plan = planSpan(input, limits, findKeepTokens(input, limits))
  if (isAutomatic && plan !== null && plan.spanTokens * EXPECTED_GAIN < plan.tokensBefore * MIN_AUTOMATIC_GAIN)
    return nothing('too-little-to-gain')
  if (plan !== null || isAutomatic) return plan ?? nothing('all-protected')
  // Somebody asked for it, or the request does not fit: then only what must be kept is kept.
  return planSpan(input, limits, 0) ?? nothing('all-protected')
}

/** A summary nobody asked for must pay: one that frees less than this share would be due again at the next turn. */
export const MIN_AUTOMATIC_GAIN = 0.05
/** Of what a summary replaces, so much is gained: `longhaul` adds at most the other half to what it shows. */
export const EXPECTED_GAIN = 0.5

export function isAutomaticReason(reason: CompactionReason): boolean {
  return reason === 'threshold' || reason === 'prepared'
}

/** What is said between a preparation and the threshold stays too, so less is kept now: by then it is what the rule says. */
function findKeepTokens(
  { reason, tokensBefore, isMinimal = false }: CompactionInput,
  { keepTokens, triggerTokens }: Limits,
): number {
  if (isMinimal) return 0
  if (reason !== 'prepared') return keepTokens
  return Math.max(0, keepTokens - Math.max(0, triggerTokens - tokensBefore))
}

function planSpan(input: CompactionInput, limits: Limits, keepTokens: number): CompactionPlan | null {
  const { items, policy, ratio } = input
  const { estimator, compaction } = policy
  const kept = findKept({ items, policy: compaction, limits, estimator, ratio, keepTokens })
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
    ...(input.requestId === undefined ? {} : { requestId: input.requestId }),
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
