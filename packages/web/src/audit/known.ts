import { formatNumber, formatShort, formatUsd, formatWhen } from '../ui/text/format.ts'

/** What nobody knows is said to be unknown, never to be 0. */
const orUnknown =
  (format: (value: number) => string) =>
  (value: number | null): string =>
    value === null ? 'unknown' : format(value)

export const showNumber = orUnknown(formatNumber)
export const showTokens = orUnknown(formatShort)
/** What it was at most. */
export const showBound = orUnknown((tokens) => `${tokens > 0 ? '≤ ' : ''}${formatShort(tokens)}`)
export const showUsd = orUnknown(formatUsd)
export const showWhen = orUnknown((at) => formatWhen(at))
