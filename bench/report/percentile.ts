/** The value below which a share of the others lies: 0.5 gives the median, 0 the least. Not a number where there is none. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: Iterable<number>): number {
  return percentile(values, 0.5)
}
