import type { EventResult, RequestResult, RunTotals } from './run-result.ts'

/** A compaction that frees less than this share was not worth its call. */
const MIN_GAIN = 0.05

/** The sums of a run, kept while it goes on: a long run does not keep its requests. */
export interface RunningTotals {
  addRequest(request: RequestResult): void
  addEvents(events: readonly EventResult[]): void
  /** null: the price is unknown. */
  paidUsd(): number | null
  finish(): RunTotals
}

type Sums = { -readonly [K in keyof Omit<RunTotals, 'hitRate' | 'costUsd' | 'maintenanceUsd'>]: number }

export function createRunningTotals(): RunningTotals {
  const sums = createSums()
  let requestUsd: number | null = 0
  let maintenanceUsd: number | null = 0
  const paidUsd = (): number | null => addUsd(requestUsd, maintenanceUsd)
  return {
    addRequest({ tokens, outputTokens, cacheRead, cacheWrite, costUsd, isOverWindow }) {
      sums.requests += 1
      sums.inputTokens += tokens
      sums.outputTokens += outputTokens
      sums.cacheRead += cacheRead
      sums.cacheWrite += cacheWrite
      sums.maxTokens = Math.max(sums.maxTokens, tokens)
      if (isOverWindow) sums.overWindow += 1
      requestUsd = addUsd(requestUsd, costUsd)
    },
    addEvents(events) {
      for (const event of events) {
        countEvent(sums, event)
        maintenanceUsd = addUsd(maintenanceUsd, event.costUsd)
      }
    },
    paidUsd,
    finish: () => ({ ...sums, hitRate: hitRateOf(sums), costUsd: paidUsd(), maintenanceUsd }),
  }
}

/** The totals of several runs as those of one. */
export function addTotals(all: readonly RunTotals[]): RunTotals {
  const sums = createSums()
  let [costUsd, maintenanceUsd]: [number | null, number | null] = [0, 0]
  for (const totals of all) {
    for (const key of Object.keys(sums) as (keyof Sums)[])
      sums[key] = key === 'maxTokens' ? Math.max(sums[key], totals[key]) : sums[key] + totals[key]
    costUsd = addUsd(costUsd, totals.costUsd)
    maintenanceUsd = addUsd(maintenanceUsd, totals.maintenanceUsd)
  }
  return { ...sums, hitRate: hitRateOf(sums), costUsd, maintenanceUsd }
}

function hitRateOf({ inputTokens, cacheRead }: Pick<RunTotals, 'inputTokens' | 'cacheRead'>): number {
  return inputTokens === 0 ? 0 : cacheRead / inputTokens
}

function countEvent(sums: Sums, event: EventResult): void {
  const { action, isForeground, inputTokens, outputTokens } = event
  if (action === 'prune') sums.prunes += 1
  if (action === 'flush') sums.flushes += 1
  if (action === 'compact') sums.compactions += 1
  if (action === 'trim') sums.trims += 1
  if (action === 'failed' || action === 'block') sums.failures += 1
  if (isWithoutGain(event)) sums.noGain += 1
  if (inputTokens === 0) return
  if (isForeground) sums.waits += 1
  if (action === 'flush') return
  sums.summaryCalls += 1
  sums.summaryInputTokens += inputTokens
  sums.summaryOutputTokens += outputTokens
}

function isWithoutGain({ action, tokensBefore, tokensAfter }: EventResult): boolean {
  if (action !== 'compact' && action !== 'failed') return false
  return tokensBefore !== null && tokensAfter !== null && tokensAfter > tokensBefore * (1 - MIN_GAIN)
}

function addUsd(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function createSums(): Sums {
  return {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheRead: 0,
    cacheWrite: 0,
    maxTokens: 0,
    overWindow: 0,
    prunes: 0,
    flushes: 0,
    compactions: 0,
    noGain: 0,
    trims: 0,
    failures: 0,
    waits: 0,
    summaryCalls: 0,
    summaryInputTokens: 0,
    summaryOutputTokens: 0,
  }
}
