import type { EventResult, RequestResult, RunTotals } from './run-result.ts'

/** A compaction that frees less than this share was not worth its call. */
const MIN_GAIN = 0.05

export function sumTotals(requests: readonly RequestResult[], lastEvents: readonly EventResult[]): RunTotals {
  const events = [...requests.flatMap((request) => request.events), ...lastEvents]
  const sum = (pick: (request: RequestResult) => number): number =>
    requests.reduce((total, request) => total + pick(request), 0)
  const count = (...actions: readonly EventResult['action'][]): number =>
    events.filter(({ action }) => actions.includes(action)).length
  const inputTokens = sum(({ tokens }) => tokens)
  const cacheRead = sum((request) => request.cacheRead)
  const requestUsd = sumCosts(requests)
  const maintenanceUsd = sumCosts(events)
  return {
    requests: requests.length,
    inputTokens,
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheRead,
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    hitRate: inputTokens === 0 ? 0 : cacheRead / inputTokens,
    costUsd: requestUsd === null || maintenanceUsd === null ? null : requestUsd + maintenanceUsd,
    maintenanceUsd,
    maxTokens: requests.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    overWindow: requests.filter(({ isOverWindow }) => isOverWindow).length,
    prunes: count('prune'),
    flushes: count('flush'),
    compactions: count('compact'),
    noGain: events.filter(isWithoutGain).length,
    trims: count('trim'),
    failures: count('failed', 'block'),
    waits: events.filter(({ isForeground, inputTokens: asked }) => isForeground && asked > 0).length,
  }
}

function sumCosts(costs: readonly { readonly costUsd: number | null }[]): number | null {
  return costs.reduce<number | null>((sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd), 0)
}

function isWithoutGain({ action, tokensBefore, tokensAfter }: EventResult): boolean {
  if (action !== 'compact' && action !== 'failed') return false
  return tokensBefore !== null && tokensAfter !== null && tokensAfter > tokensBefore * (1 - MIN_GAIN)
}
