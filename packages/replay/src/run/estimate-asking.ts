import type { ReplayReport } from './replay.ts'

/** What it would take to let a model write the summaries of a replay. */
export interface AskingEstimate {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** null: the price is unknown. */
  readonly costUsd: number | null
}

/** From a replay with extracts, to be shown before a model is asked: a live replay pays for its summaries and for nothing else. */
export function estimateAsking({ runs }: ReplayReport): AskingEstimate {
  const events = runs
    .flatMap(({ requests, lastEvents }) => [...requests.flatMap((request) => request.events), ...lastEvents])
    .filter(({ action, inputTokens }) => action !== 'flush' && inputTokens > 0)
  return {
    calls: events.length,
    inputTokens: events.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: events.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    costUsd: events.reduce<number | null>(
      (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
      0,
    ),
  }
}
