/** Three figures are more than a noisy machine gives. */
export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${formatFigures(ms / 1_000)} s`
  return ms >= 0.1 ? `${formatFigures(ms)} ms` : `${formatFigures(ms * 1_000)} µs`
}

export function formatTimes(ratio: number): string {
  return `${formatFigures(ratio)}×`
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

function formatFigures(value: number): string {
  if (value >= 100) return formatCount(value)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
