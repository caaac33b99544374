/** 18,204; a figure that nobody knows is no zero. */
export function formatNumber(value: number | null): string {
  return value === null ? 'unknown' : value.toLocaleString('en')
}

/** 840, 18.2k, 1.05M. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return 'unknown'
  if (tokens < 1_000) return String(tokens)
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M']
  return `${Number(value.toPrecision(3))}${unit}`
}

/** Formats a number of tokens as an upper bound: `≤ 2.12k`. */
export function formatBound(tokens: number | null): string {
  return tokens === null || tokens === 0 ? formatTokens(tokens) : `≤ ${formatTokens(tokens)}`
}

/** Cents matter while there are few of them. With `unpriced` parts, the sum of the others is a lower bound. */
export function formatUsd(usd: number | null, unpriced = 0): string {
  if (usd === null) return 'unknown'
  const amount = `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`
  return unpriced === 0 ? amount : `≥ ${amount}`
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** 2026-11-15 14:03, by the reader's own clock. */
export function formatMoment(at: number | null): string {
  if (at === null || Number.isNaN(new Date(at).getTime())) return 'unknown'
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
