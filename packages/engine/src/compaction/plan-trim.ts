import { findCutPoints } from '../messages/cut-points.ts'
import { findFirstUserMessage, findNewestUserMessage } from '../messages/turns.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { EntryRef } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import type { TrimPlan } from './compaction-plan.ts'
import { createMove } from './plan-compaction.ts'
import { summaryUnavailable } from './summary-unavailable.ts'

export interface TrimInput {
  readonly items: readonly Item[]
  readonly carriedCount: number
  readonly base: EntryRef | null
  readonly epoch: number
  readonly policy: ContextPolicy
  readonly ratio: number
  readonly reason: TrimPlan['reason']
  readonly tokensBefore: number
  /** The first user message is the first ask, and no summary tells it. */
  readonly holdsFirstAsk: boolean
  /** At least this much has to go. */
  readonly dropTokens: number
  readonly dropMessages: number
  /** Messages that earlier trims of this summary left out. */
  readonly alreadyDropped: number
}

/** Leaves out the oldest messages until enough is gone; pairs, the newest user message and a kept first one stay. null: nothing can go, or nothing must. */
export function planTrim(input: TrimInput): TrimPlan | null {
  const { items, policy, base } = input
  if (items.length <= input.carriedCount || (input.dropTokens <= 0 && input.dropMessages <= 0)) return null
  const messages = items.map((item) => item.message)
  const stays = new Set([findNewestUserMessage(messages)])
  const { keepFirstUserMessage } = policy.compaction
  if (keepFirstUserMessage === true || (keepFirstUserMessage === 'ledger' && input.holdsFirstAsk))
    stays.add(findFirstUserMessage(messages))
  const start = findStart(input, stays)
  const carried = [...stays].filter((index) => index >= 0 && index < start).toSorted((a, b) => a - b)
  const dropped = items.slice(0, start).filter((_, index) => !stays.has(index))
  if (dropped.length === 0) return null
  return {
    action: 'trim',
    reason: input.reason,
    move: createMove(items, { start, carried }, base),
    dropped,
    note:
      policy.compaction.maxInputChars === 'chunked' ? summaryUnavailable(input.alreadyDropped + dropped.length) : null,
    tokensBefore: input.tokensBefore,
    epoch: input.epoch,
  }
}

/** Never at a carried message: a base there would bring back what lies between it and the window. */
function findStart(input: TrimInput, stays: ReadonlySet<number>): number {
  const { items, carriedCount, policy, ratio, dropTokens, dropMessages } = input
  const cuts = findCutPoints(items.map((item) => item.message))
  let tokens = 0
  let messages = 0
  for (const [index, item] of items.entries()) {
    const isEnough = tokens >= dropTokens && messages >= dropMessages
    if (isEnough && index >= carriedCount && cuts.isLegal(index)) return index
    if (stays.has(index)) continue
    tokens += estimateMessage(item.message, policy.estimator) * ratio
    messages += 1
  }
  return items.length
}
