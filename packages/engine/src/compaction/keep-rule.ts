import { findCutPoints } from '../messages/cut-points.ts'
import { findFirstUserMessage, findLastAssistantTurns, findNewestUserMessage } from '../messages/turns.ts'
import type { Limits } from '../policy/limits.ts'
import type { CompactionPolicy } from '../policy/policy.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'

export interface KeepInput {
  readonly items: readonly Item[]
  readonly policy: CompactionPolicy
  readonly limits: Limits
  readonly estimator: Estimator
  /** Billed tokens per estimated one: budgets are in the trigger's units, not the estimator's. */
  readonly ratio: number
  /** Keeps no more than this, whatever the rule; 0: only what must be kept. Left out: as the limits say. */
  readonly keepTokens?: number
}

export interface Kept {
  /** Index of the first message that stays. */
  readonly start: number
  /** Indices before `start` that stay all the same. */
  readonly carried: readonly number[]
}

/**
 * What stays verbatim. Tool calls and their results stay together, the newest user message always stays, and so does
 * the exchange under way, unless it alone is larger than what may be kept.
 */
export function findKept(input: KeepInput): Kept {
  const { items, policy, limits, keepTokens = limits.keepTokens } = input
  const messages = items.map((item) => item.message)
  const cuts = findCutPoints(messages)
  const fitting = cuts.atOrAfter(findFitting(input, keepTokens))
  const wanted = findWanted(input, cuts.atOrBefore, fitting)
  const lastGroup = cuts.atOrBefore(items.length - 1)
  const canKeepLast = findFitting(input, limits.inputTokens / 2) <= lastGroup
  const start = canKeepLast ? Math.min(wanted, lastGroup) : wanted
  const carried = new Set<number>()
  if (policy.keepFirstUserMessage === true) carried.add(findFirstUserMessage(messages))
  carried.add(findNewestUserMessage(messages))
  return { start, carried: [...carried].filter((index) => index >= 0 && index < start).toSorted((a, b) => a - b) }
}

/** Rules in tokens keep what fits; rules that count messages or turns keep whole pairs, as long as those fit too. */
function findWanted({ items, policy }: KeepInput, atOrBefore: (index: number) => number, fitting: number): number {
  const messages = items.map((item) => item.message)
  if (policy.keepMessages !== null) return Math.max(fitting, atOrBefore(items.length - policy.keepMessages))
  if (policy.keepTurns !== null)
    return Math.max(fitting, atOrBefore(findLastAssistantTurns(messages, policy.keepTurns)))
  return fitting
}

/** Index from which on everything together is within the budget. */
function findFitting({ items, estimator, ratio }: KeepInput, budgetTokens: number): number {
  let tokens = 0
  let index = items.length
  while (index > 0) {
    const item = items[index - 1]
    if (item === undefined) break
    tokens += estimateMessage(item.message, estimator) * ratio
    if (tokens > budgetTokens) break
    index -= 1
  }
  return index
}
