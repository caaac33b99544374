import type { Usage } from '@longhaul/engine'
import type { GatewayReport, SummaryCosts } from '../gateway-options.ts'

/** Counts what a gateway has done. */
export interface Tally {
  readonly request: () => void
  readonly edited: (tokensNotSent: number) => void
  readonly refusedUpstream: () => void
  readonly refusalAvoided: () => void
  /** `usd`: null where the price is not known. */
  readonly summary: (usage: Usage | null, usd: number | null) => void
  readonly read: () => GatewayReport
}

export function createTally(): Tally {
  let [requests, edited, tokensNotSent, refusalsAvoided, refusalsUpstream] = [0, 0, 0, 0, 0]
  let summaries: SummaryCosts = { calls: 0, input: 0, output: 0, usd: 0 }
  return {
    request: () => void (requests += 1),
    edited(tokens) {
      edited += 1
      tokensNotSent += Math.max(0, Math.round(tokens))
    },
    refusedUpstream: () => void (refusalsUpstream += 1),
    refusalAvoided: () => void (refusalsAvoided += 1),
    summary(usage, usd) {
      const { calls, input, output, usd: before } = summaries
      summaries = {
        calls: calls + 1,
        input: input + (usage?.input ?? 0),
        output: output + (usage?.output ?? 0),
        usd: before === null || usd === null ? null : before + usd,
      }
    },
    read: () => ({ requests, edited, tokensNotSent, refusalsAvoided, refusalsUpstream, summaries }),
  }
}
