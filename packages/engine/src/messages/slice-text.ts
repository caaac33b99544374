/**
 * Cuts that never split a surrogate pair: half a pair is not text, and several providers answer it with a 400.
 * Both may return one character less than asked for, never more.
 */
export function sliceHead(text: string, maxChars: number): string {
  const end = wholeChars(maxChars)
  if (end >= text.length) return text
  return text.slice(0, splitsPair(text, end) ? end - 1 : end)
}

export function sliceTail(text: string, maxChars: number): string {
  const start = text.length - wholeChars(maxChars)
  if (start <= 0) return text
  return text.slice(splitsPair(text, start) ? start + 1 : start)
}

/** NaN is no limit anybody meant; it takes nothing, as slice itself does. */
function wholeChars(maxChars: number): number {
  return Math.max(0, Math.floor(maxChars) || 0)
}

function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
