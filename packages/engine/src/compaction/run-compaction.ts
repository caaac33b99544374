import { scoreCoverage } from '../summary/coverage.ts'
import { extractFacts } from '../summary/extract-facts.ts'
import { renderDocument } from '../summary/render-document.ts'
import { renderSummary } from '../summary/render-summary.ts'
import type { Limits } from '../policy/limits.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { CompactionEntry } from '../transcript/entry.ts'
import type { Usage } from '../transcript/message.ts'
import { readSummaryDocument } from '../transcript/read-summary-document.ts'
import type { SummaryDocument } from '../transcript/summary-document.ts'
import { describeError } from './calls/ask-summary.ts'
import { readFailedBill } from './calls/read-failed-bill.ts'
import { sumUsage } from './calls/sum-usage.ts'
import type { BaseMove, CompactionPlan } from './compaction-plan.ts'
import { MIN_AUTOMATIC_GAIN, isAutomaticReason } from './plan-compaction.ts'
import { describeEnd, describeFailure, describeStart } from './log-lines.ts'
import type { CompactionLogLine } from './log-lines.ts'
import { readUserWish } from './prompts/user-wish.ts'
import { MODEL_FREE_STRATEGY } from './strategy.ts'
import type { AskModel, CancelSignal, CompactionStrategy, StrategyResult } from './strategy.ts'

export interface CompactionRun {
  readonly plan: CompactionPlan
  readonly policy: ContextPolicy
  readonly limits: Limits
  readonly strategies: ReadonlyMap<string, CompactionStrategy>
  readonly ask: AskModel
  readonly signal: CancelSignal
  /** The most that one summary call may take. Default: the policy's `timeoutMs`. */
  readonly callTimeoutMs?: number
  /** What the next request would hold, by the yardstick that `plan.tokensBefore` was measured with. */
  readonly measureAfter: (candidate: { readonly move: BaseMove; readonly document: SummaryDocument }) => number
  /** The model that answers, where the policy only says `session` or its choice is not at hand. */
  readonly modelId?: string
  readonly log?: (line: CompactionLogLine) => void
}

export type CompactionOutcome =
  | { readonly kind: 'compacted'; readonly entry: NewCompaction; readonly attempts: number }
  | { readonly kind: 'failed'; readonly problems: readonly string[]; readonly usage: Usage | null }
  | { readonly kind: 'cancelled'; readonly usage: Usage | null }

/** All of the entry but what the store and the clock add. */
type NewCompaction = Omit<CompactionEntry, 'seq' | 'id' | 'at'>

/**
 * Tries until a document makes the context strictly smaller, or attempts run out; then the best weak one is used, if there
 * is any. Changes nothing: the caller appends the entry.
 */
export async function runCompaction(run: CompactionRun): Promise<CompactionOutcome> {
  const { plan, policy, limits, signal, log } = run
  const attempts = plan.strategy === MODEL_FREE_STRATEGY ? 1 : 1 + policy.compaction.retries
  const bills: (Usage | null)[] = []
  const problems: string[] = []
  let weak: Measured | null = null
  log?.(
    describeStart({
      estimateTokens: plan.tokensBefore,
      thresholdTokens: limits.triggerTokens,
      messages: plan.span.length,
    }),
  )
  for (let number = 1; number <= attempts; number += 1) {
    if (signal.aborted) return { kind: 'cancelled', usage: sumUsage(bills) }
    const result = await attempt(run)
    bills.push(result.usage)
    if (signal.aborted) return { kind: 'cancelled', usage: sumUsage(bills) }
    if (result.ok && result.weakness === undefined) return finish(run, result, { usage: sumUsage(bills), number })
    if (result.ok && (weak === null || result.score > weak.score)) weak = result
    const problem = result.ok ? describeError(result.weakness) : result.problem
    problems.push(problem)
    const isLast = number === attempts || (!result.ok && result.isFinal === true)
    const instead = !isLast ? 'retry' : weak === null ? policy.compaction.fallback : 'weak-summary'
    log?.(describeFailure({ problem, attempt: number, attempts, instead }))
    if (isLast) break
  }
  const usage = sumUsage(bills)
  return weak === null ? { kind: 'failed', problems, usage } : finish(run, weak, { usage, number: problems.length })
}

function finish(
  run: CompactionRun,
  result: Measured,
  { usage, number }: { readonly usage: Usage | null; readonly number: number },
): CompactionOutcome {
  logEnd(run, result)
  return { kind: 'compacted', entry: createEntry(run, result, usage), attempts: number }
}

type Measured = Extract<StrategyResult, { ok: true }> & { readonly tokensAfter: number; readonly score: number }
type Failed = Extract<StrategyResult, { ok: false }>

async function attempt({
  plan,
  policy,
  limits,
  strategies,
  ask,
  signal,
  callTimeoutMs = policy.compaction.timeoutMs,
  measureAfter,
}: CompactionRun): Promise<Measured | Failed> {
  const strategy = strategies.get(plan.strategy)
  if (strategy === undefined) {
    return fail(`there is no strategy "${plan.strategy}"; known are ${[...strategies.keys()].join(', ')}`, null)
  }
  let usage: Usage | null = null
  try {
    const result = await strategy.summarize(plan, { policy, limits, ask, signal, callTimeoutMs })
    usage = result.usage
    if (!result.ok) return { ...result, problem: describeError(result.problem) }
    const document = readSummaryDocument(result.document)
    if (document === null || isEmpty(document)) return fail('empty: The strategy gave no summary.', usage)
    const tokensAfter = measureAfter({ move: plan.move, document })
    if (!(tokensAfter < plan.tokensBefore * (1 - minGain(plan))))
      return fail(`not-smaller: The context would go from ${plan.tokensBefore} to ${tokensAfter} tokens.`, usage)
    const score = isScore(result.score) ? result.score : scoreDocument(plan, document)
    return { ...result, document, tokensAfter, score }
  } catch (error) {
    return fail(describeError(error), usage ?? readFailedBill(error) ?? null)
  }
}

function isEmpty(document: SummaryDocument): boolean {
  return renderDocument(document).trim() === '' && (document.ledger ?? []).length === 0
}

/** The share of the span's facts that a request with this document shows, from 0 to 1. */
function scoreDocument({ span }: CompactionPlan, document: SummaryDocument): number {
  return scoreCoverage(extractFacts(span), renderSummary(document)).score
}

function isScore(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= 1
}

function minGain({ reason }: CompactionPlan): number {
  return isAutomaticReason(reason) ? MIN_AUTOMATIC_GAIN : 0
}

function fail(problem: string, usage: Usage | null): Failed {
  return { ok: false, problem, usage }
}

function createEntry({ plan, policy, modelId }: CompactionRun, result: Measured, usage: Usage | null): NewCompaction {
  const { model } = policy.compaction
  const instructions = readUserWish(plan.instructions)
  return {
    type: 'compaction',
    ...plan.move,
    tokensBefore: plan.tokensBefore,
    tokensAfter: result.tokensAfter,
    document: result.document,
    reason: plan.reason,
    strategy: plan.strategy,
    model: plan.strategy === MODEL_FREE_STRATEGY ? null : (modelId ?? (model === 'session' ? null : model)),
    ...(instructions === null ? {} : { instructions }),
    score: result.score,
    ...(usage === null ? {} : { usage }),
  }
}

function logEnd({ plan, policy, log }: CompactionRun, { document, tokensAfter }: Measured): void {
  log?.(
    describeEnd({
      messages: plan.span.length,
      summaryTokens: estimateField(renderDocument(document), policy.estimator),
      freedTokens: plan.tokensBefore - tokensAfter,
    }),
  )
}
