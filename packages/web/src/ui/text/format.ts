/** 18,204 */
export function formatNumber(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** 18.2k, 1.05M: for places without much room. */
export function formatShort(value: number): string {
  const rounded = Math.round(value)
  if (rounded < 1_000) return String(rounded)
  const [size, unit] = rounded < 999_500 ? [rounded / 1_000, 'k'] : [rounded / 1_000_000, 'M']
  return `${Number(size.toPrecision(3))}${unit}`
}

export function formatTokens(tokens: number): string {
  return formatCount(tokens, 'token')
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${Math.round(count) === 1 ? one : many}`
}

/** What is there but rounds to nothing is said to be little, not to be nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1 %'
  return `${Math.round(share * 100)} %`
}

/** Cents matter while there are few of them. */
export function formatUsd(usd: number): string {
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`
}

/** A cost that nobody knows is no zero. */
export function formatCost(usd: number | null, unpricedCalls: number): string {
  if (usd === null) return 'unknown'
  return unpricedCalls === 0 ? formatUsd(usd) : `at least ${formatUsd(usd)}`
}

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }

/** 14:03 today, else 15 Nov, 14:03; of the user's own clock. */
export function formatWhen(at: number, now: number = Date.now()): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return date.toLocaleString('en-GB', isToday ? TIME : { ...DAY, ...TIME })
}
