import type { Usage } from '@longhaul/engine/advanced'

/** Bills of several calls as one. For money and totals; never for the size of a context. */
export function addUsage(sum: Usage | null, more: Usage | null): Usage | null {
  if (sum === null || more === null) return sum ?? more
  const add = (key: keyof Usage): Partial<Usage> =>
    sum[key] === undefined && more[key] === undefined ? {} : { [key]: (sum[key] ?? 0) + (more[key] ?? 0) }
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    ...add('cacheRead'),
    ...add('cacheWrite'),
    ...add('reasoning'),
    ...add('costUsd'),
  }
}
