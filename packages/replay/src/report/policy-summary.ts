import type { FactKind } from '../retention/facts/fact.ts'
import type { KindRetention } from '../retention/retention.ts'
import { sumKinds, sumRetention } from '../retention/sum-retention.ts'
import type { Tally } from '../retention/tally.ts'
import type { RunResult, RunTotals } from '../run/run-result.ts'

/** One policy over all conversations. */
export interface PolicySummary {
  readonly policy: RunResult['policy']
  readonly conversations: number
  readonly totals: RunTotals
  readonly kinds: Readonly<Record<FactKind, KindRetention>>
  /** All kinds together. */
  readonly all: KindRetention
  readonly questions: { readonly inContext: Tally; readonly recalled: Tally } | null
}

/** In the order in which the policies came. */
export function summarisePolicies(runs: readonly RunResult[]): readonly PolicySummary[] {
  return [...Map.groupBy(runs, ({ policy }) => policy.name).values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ policy: first.policy, ...sumRuns(group) }]
  })
}

function sumRuns(runs: readonly RunResult[]): Omit<PolicySummary, 'policy'> {
  const { kinds, questions } = sumRetention(runs.map(({ retention }) => retention))
  return {
    conversations: runs.length,
    totals: addTotals(runs.map(({ totals }) => totals)),
    kinds,
    all: sumKinds(Object.values(kinds)),
    questions,
  }
}

function addTotals(all: readonly RunTotals[]): RunTotals {
  const sum = (pick: (totals: RunTotals) => number): number => all.reduce((total, totals) => total + pick(totals), 0)
  const sumUsd = (pick: (totals: RunTotals) => number | null): number | null =>
    all.some((totals) => pick(totals) === null) ? null : sum((totals) => pick(totals) ?? 0)
  const inputTokens = sum((totals) => totals.inputTokens)
  const cacheRead = sum((totals) => totals.cacheRead)
  return {
    requests: sum(({ requests }) => requests),
    inputTokens,
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheRead,
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    hitRate: inputTokens === 0 ? 0 : cacheRead / inputTokens,
    costUsd: sumUsd(({ costUsd }) => costUsd),
    maintenanceUsd: sumUsd(({ maintenanceUsd }) => maintenanceUsd),
    maxTokens: Math.max(0, ...all.map(({ maxTokens }) => maxTokens)),
    overWindow: sum(({ overWindow }) => overWindow),
    prunes: sum(({ prunes }) => prunes),
    flushes: sum(({ flushes }) => flushes),
    compactions: sum(({ compactions }) => compactions),
    noGain: sum(({ noGain }) => noGain),
    trims: sum(({ trims }) => trims),
    failures: sum(({ failures }) => failures),
    waits: sum(({ waits }) => waits),
    summaryCalls: sum(({ summaryCalls }) => summaryCalls),
    summaryInputTokens: sum(({ summaryInputTokens }) => summaryInputTokens),
    summaryOutputTokens: sum(({ summaryOutputTokens }) => summaryOutputTokens),
  }
}
