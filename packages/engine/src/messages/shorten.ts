import { sliceHead, sliceTail } from './slice-text.ts'

/** Cuts at the end, with a sign that it did. */
export function shortenEnd(text: string, maxChars: number | undefined): string {
  if (maxChars === undefined || text.length <= maxChars) return text
  return `${sliceHead(text, maxChars)}…`
}

/** Keeps head and tail of a text that is longer than `maxChars`, and says how much is missing between them. */
export function shortenMiddle(text: string, maxChars: number, headChars: number, tailChars: number): string {
  if (text.length <= maxChars) return text
  const head = sliceHead(text, headChars)
  const tail = sliceTail(text, tailChars)
  const shortened = `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
  return shortened.length < text.length ? shortened : text
}
