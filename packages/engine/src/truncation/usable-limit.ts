/** A limit somebody configured, or `fallback` where it is none: not finite, zero or below. */
export function usableLimit(maxChars: number, fallback: number): number {
  return Number.isFinite(maxChars) && maxChars >= 1 ? Math.floor(maxChars) : fallback
}
