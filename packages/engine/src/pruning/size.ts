import { pairTools } from '../messages/tool-pairs.ts'
import type { ToolPair } from '../messages/tool-pairs.ts'
import { countAssistantTurnsAfter } from '../messages/turns.ts'
import type { PruningPolicy } from '../policy/policy.ts'
import type { ToolResultPart } from '../transcript/message.ts'
import { createBatch } from './batch.ts'
import type { PruneBatch } from './batch.ts'
import { createArgumentForm, createClearForm, createTrimForm } from './create-form.ts'
import { readPath } from './file-access.ts'
import { isCacheCold } from './is-cache-cold.ts'
import { findPrunableCalls, findPrunableResults, placeOf } from './prunable.ts'
import type { Prunable } from './prunable.ts'
import type { PrunePlan, PruningContext, PruningInput } from './prune-plan.ts'
import { findStaleReads } from './stale-reads.ts'

/** How far below the ratio that set it off a batch prunes, as a share of the window: the next batch is then far away. */
const BATCH_DEPTH = 0.15
/** A warm cache is broken for no less than this, in tokens and as a share of the window. */
const MIN_BATCH_TOKENS = 4_096
const MIN_BATCH_SHARE = 0.1
/** Less is not worth a line in the transcript, nor what the reader loses. */
const MIN_DECISION_TOKENS = 50

/**
 * Longhaul's own mode: what is worth least goes first.
 *
 *   used > softTrimRatio                  every stale read is cleared; then, until the batch is deep enough, long results
 *                                         are trimmed (largest × oldest first) and long arguments of old calls shortened
 *   still > hardClearRatio after that     results are cleared, largest × oldest first, until well below that ratio
 *   used > softTrimRatio / 2, cache cold  only reads that were repeated later: a newer copy stands further down, and an
 *                                         idle cache makes edits free, not information worthless
 *
 * A warm cache is left alone where a compaction is ahead: that breaks it once, for more, and tells the facts of what goes.
 */
export function planSize(input: PruningInput): PrunePlan | null {
  const { policy, usedTokens, limits, items } = input
  if (usedTokens === null || limits === null) return null
  const used = usedTokens / limits.windowTokens
  const isCold = isCacheCold(input)
  const isPressed = used > policy.softTrimRatio
  if (!isPressed && !(isCold && used > policy.softTrimRatio / 2)) return null
  if (!isCold && input.isCompactionAhead === true) return null

  const batch = createBatch(input.estimator)
  const results = findPrunableResults(input)
  const pairs = pairTools(items.map((item) => item.entry))
  const ratio = () => (usedTokens - batch.freedTokens()) / limits.windowTokens
  const work: Work = { ...input, batch, results, pairs, isPressed, ratio }
  clearStaleReads(work)
  if (isPressed) {
    trimByValue(work)
    clearByValue(work)
  }
  const minFreed = isCold ? 0 : Math.max(MIN_BATCH_TOKENS, limits.windowTokens * MIN_BATCH_SHARE)
  if (batch.freedTokens() < minFreed) return null
  return batch.createPlan(`size: ${Math.round(used * 100)} % of the window used, cache ${isCold ? 'cold' : 'warm'}`)
}

interface Work extends PruningContext {
  readonly batch: PruneBatch
  readonly results: readonly Prunable<ToolResultPart>[]
  readonly pairs: readonly ToolPair[]
  readonly isPressed: boolean
  /** The share of the window that is used, less what the batch has freed so far. */
  readonly ratio: () => number
}

/** All of them, however deep the batch is by then: they are wrong, and the cache is broken only once. */
function clearStaleReads({ policy, batch, results, pairs, isPressed }: Work): void {
  const staleReads = findStaleReads(pairs)
  for (const result of results) {
    const stale = staleReads.get(result.place)
    if (stale === undefined || (stale.why === 'changed' && !isPressed)) continue
    if (policy.hardClear.enabled) batch.offer(result, createClearForm(result, policy, stale), MIN_DECISION_TOKENS)
    else offerTrim(policy, batch, result)
  }
}

function trimByValue(work: Work): void {
  const { policy, batch, pairs, ratio } = work
  const target = findTarget(policy.softTrimRatio)
  for (const result of sortByValue(work)) {
    if (ratio() <= target) return
    offerTrim(policy, batch, result)
  }
  for (const call of findPrunableCalls(work, pairs)) {
    if (ratio() <= target) return
    batch.offer(call, createArgumentForm(call.item.entry.seq), MIN_DECISION_TOKENS)
  }
}

function clearByValue(work: Work): void {
  const { policy, batch, results, pairs, ratio } = work
  if (!policy.hardClear.enabled || ratio() <= policy.hardClearRatio) return
  const prunableChars = results.reduce((chars, result) => chars + batch.charsOf(result), 0)
  if (prunableChars < policy.minPrunableToolChars) return
  const target = findTarget(policy.hardClearRatio)
  const paths = findPaths(pairs)
  for (const result of sortByValue(work)) {
    if (ratio() <= target) return
    const facts = { why: 'space', path: paths.get(result.place) ?? null } as const
    batch.offer(result, createClearForm(result, policy, facts), MIN_DECISION_TOKENS)
  }
}

function offerTrim(policy: PruningPolicy, batch: PruneBatch, result: Prunable<ToolResultPart>): void {
  if (batch.charsOf(result) <= policy.softTrim.maxChars) return
  batch.offer(result, createTrimForm(result, policy), MIN_DECISION_TOKENS)
}

/** A small ratio is halved at most, or a batch would take all there is. */
function findTarget(ratio: number): number {
  return Math.max(ratio - BATCH_DEPTH, ratio / 2)
}

/** Largest × oldest first, as they stand in the batch by now; equals in the order of the conversation. */
function sortByValue({ items, batch, results }: Work): Work['results'] {
  const ages = countAssistantTurnsAfter(items.map((item) => item.entry))
  return results
    .map((result) => ({ result, weight: batch.charsOf(result) * (ages[result.messageIndex] ?? 0) }))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ result }) => result)
}

function findPaths(pairs: readonly ToolPair[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const { call, answer } of pairs) {
    const path = readPath(call.input)
    if (path !== null && answer !== null) paths.set(placeOf(answer.message, answer.part), path)
  }
  return paths
}
