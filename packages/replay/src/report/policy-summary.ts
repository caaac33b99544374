import type { FactKind } from '../retention/facts/fact.ts'
import type { KindRetention } from '../retention/retention.ts'
import { sumKinds, sumRetention } from '../retention/sum-retention.ts'
import type { Tally } from '../retention/tally.ts'
import { addTotals } from '../run/run-totals.ts'
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
