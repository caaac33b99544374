import { COUNT_KEYS } from './measure.ts'
import type { CountKey, Counts, Run } from './measure.ts'

/** Runs of one policy on several conversations, added up. */
export type Summed = Run

export function sumRuns(runs: readonly Run[]): Summed {
  const sum = (pick: (run: Run) => number): number => runs.reduce((total, run) => total + pick(run), 0)
  return {
    requests: sum(({ requests }) => requests),
    viewTokens: sum(({ viewTokens }) => viewTokens),
    summaryTokens: sum(({ summaryTokens }) => summaryTokens),
    recalledTokens: sum(({ recalledTokens }) => recalledTokens),
    compactions: sum(({ compactions }) => compactions),
    total: sumCounts(runs.map(({ total }) => total)),
    byKind: Object.fromEntries(
      COUNT_KEYS.map((key) => [key, sumCounts(runs.map(({ byKind }) => byKind[key]))]),
    ) as Record<CountKey, Counts>,
  }
}

function sumCounts(all: readonly Counts[]): Counts {
  const sum = (key: keyof Counts): number => all.reduce((total, counts) => total + counts[key], 0)
  return {
    references: sum('references'),
    inContext: sum('inContext'),
    onlySummary: sum('onlySummary'),
    inSummary: sum('inSummary'),
    onlyBack: sum('onlyBack'),
    broughtBack: sum('broughtBack'),
  }
}
