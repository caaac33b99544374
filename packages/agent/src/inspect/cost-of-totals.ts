import type { Totals } from '@longhaul/engine/advanced'

/** US dollars. null: there were calls, and nobody knows the price of any; of some, the sum of the others is told. */
export function costOfTotals({ costUsd, unpricedCalls }: Totals): number | null {
  return costUsd === 0 && unpricedCalls > 0 ? null : costUsd
}
