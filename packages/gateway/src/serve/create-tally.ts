import type { Usage } from '@longhaul/engine'
import type { GatewayReport } from '../gateway-options.ts'

/** Counts what a gateway has done. */
export interface Tally {
  readonly request: () => void
  readonly edited: (tokensNotSent: number) => void
  readonly refusedUpstream: () => void
  readonly refusalAvoided: () => void
  readonly summary: (usage: Usage | null) => void
  readonly read: () => GatewayReport
}

export function createTally(): Tally {
  let [requests, edited, tokensNotSent, refusalsAvoided, refusalsUpstream] = [0, 0, 0, 0, 0]
  let summaries = { calls: 0, input: 0, output: 0 }
  return {
    request: () => void (requests += 1),
    edited(tokens) {
      edited += 1
      tokensNotSent += Math.max(0, Math.round(tokens))
    },
    refusedUpstream: () => void (refusalsUpstream += 1),
    refusalAvoided: () => void (refusalsAvoided += 1),
    summary(usage) {
      const { calls, input, output } = summaries
      summaries = { calls: calls + 1, input: input + (usage?.input ?? 0), output: output + (usage?.output ?? 0) }
    },
    read: () => ({ requests, edited, tokensNotSent, refusalsAvoided, refusalsUpstream, summaries }),
  }
}
