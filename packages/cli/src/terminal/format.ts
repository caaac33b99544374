/** 18,204 */
export function formatNumber(value: number): string {
  return value.toLocaleString('en')
}

/** 18.2k, 1.05M: for lines without much room. */
export function formatShort(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M']
  return `${Number(value.toPrecision(3))}${unit}`
}

/** Cents matter while there are few of them. */
export function formatUsd(usd: number): string {
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`
}

/** A cost that nobody knows is no zero. */
export function formatCost(usd: number | null, unpricedCalls = 0): string {
  if (usd === null) return 'cost unknown'
  return unpricedCalls === 0 ? formatUsd(usd) : `at least ${formatUsd(usd)}`
}

/** 2026-11-15 14:03, of the user's own clock. */
export function formatTime(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** Ids are long; their start is enough to name them. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(0, 8) : id
}
