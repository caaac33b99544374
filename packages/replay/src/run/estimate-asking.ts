import type { ReplayReport } from './replay.ts'
import { addTotals } from './run-totals.ts'

/** What it would take to let a model write the summaries of a replay. */
export interface AskingEstimate {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** From a replay with extracts, to be shown before a model is asked: a live replay pays for its summaries and for nothing else. */
export function estimateAsking({ runs }: ReplayReport): AskingEstimate {
  const { summaryCalls, summaryInputTokens, summaryOutputTokens } = addTotals(runs.map(({ totals }) => totals))
  return { calls: summaryCalls, inputTokens: summaryInputTokens, outputTokens: summaryOutputTokens }
}
