import type { ReplayReport } from './replay.ts'
import type { RunTotals } from './run-result.ts'

/** What it would take to let a model write the summaries of a replay. */
export interface AskingEstimate {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** From a replay with extracts, to be shown before a model is asked: a live replay pays for its summaries and for nothing else. */
export function estimateAsking({ runs }: ReplayReport): AskingEstimate {
  const sum = (pick: (totals: RunTotals) => number): number => runs.reduce((all, { totals }) => all + pick(totals), 0)
  return {
    calls: sum(({ summaryCalls }) => summaryCalls),
    inputTokens: sum(({ summaryInputTokens }) => summaryInputTokens),
    outputTokens: sum(({ summaryOutputTokens }) => summaryOutputTokens),
  }
}
