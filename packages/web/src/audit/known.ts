import { formatNumber, formatShort, formatUsd, formatWhen } from '../ui/text/format.ts'

/** An unknown figure is shown as `unknown`, never as 0. */
const orUnknown =
  (format: (value: number) => string) =>
  (value: number | null): string =>
    value === null ? 'unknown' : format(value)

export const showNumber = orUnknown(formatNumber)
export const showTokens = orUnknown(formatShort)
/** Shows a number of tokens as an upper bound. */
export const showBound = orUnknown((tokens) => `${tokens > 0 ? '≤ ' : ''}${formatShort(tokens)}`)
export const showUsd = orUnknown(formatUsd)
export const showWhen = orUnknown((at) => formatWhen(at))
