import { shareOf } from '@longhaul/replay'
import type { Tally } from '@longhaul/replay'

export function formatShare(tally: Tally): string {
  const share = shareOf(tally)
  return share === null ? '–' : `${formatPercent(share)} %`
}

/** A share that is not whole never reads as whole. */
export function formatPercent(share: number): string {
  return share > 99 && share < 100 ? share.toFixed(1) : share.toFixed(0)
}
