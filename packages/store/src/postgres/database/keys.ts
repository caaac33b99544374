/** An id that cannot be stored finds nothing, rather than failing: the empty one is never taken. */
export function toKey(id: string): string {
  return id.isWellFormed() && !id.includes('\u0000') ? id : ''
}

/** A number that a bigint column takes. */
export function toWhole(number: number, fallback = 0): number {
  if (Number.isNaN(number)) return fallback
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(number)))
}
