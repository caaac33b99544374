import { median } from '../report/percentile.ts'
import type { PrunedRequest } from './pruned-requests.ts'
import type { BilledRequest } from './walk-bills.ts'

type Counted = Pick<BilledRequest, 'guesses'> & { readonly reportedTokens?: number }

/**
 * The best that counting can do: an exact tokenizer, scaled by what fits all bills of the session best, which nobody knows
 * before its end. What is still missing then was billed, but does not stand in the transcript.
 */
export function addHindsight(
  requests: readonly BilledRequest[],
  pruned: readonly PrunedRequest[],
): { readonly requests: readonly BilledRequest[]; readonly pruned: readonly PrunedRequest[] } {
  const factor = findFactor(requests)
  const [first] = requests
  const overhead = first === undefined ? 0 : first.billedTokens - first.guesses.o200k * factor
  const add = <T extends Counted>(request: T): T => {
    const { guesses, reportedTokens = 0 } = request
    const beside = reportedTokens > 0 ? reportedTokens : overhead
    return { ...request, hindsightTokens: beside + guesses.o200k * factor }
  }
  return { requests: requests.map(add), pruned: pruned.map(add) }
}

const MIN_REST_TOKENS = 200

function findFactor(requests: readonly BilledRequest[]): number {
  const factors = requests
    .filter(({ reportedTokens, guesses }) => reportedTokens > 0 && guesses.o200k >= MIN_REST_TOKENS)
    .map(({ billedTokens, reportedTokens, guesses }) => (billedTokens - reportedTokens) / guesses.o200k)
  return factors.length === 0 ? 1 : median(factors)
}
