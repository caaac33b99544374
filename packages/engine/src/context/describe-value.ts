import { sliceHead } from '../messages/slice-text.ts'

const MAX_CHARS = 80

/** A value of any kind in a few words, for an error message. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  let text: string
  try {
    text = JSON.stringify(value) ?? String(value)
  } catch {
    text = 'a value that cannot be written as JSON'
  }
  return text.length > MAX_CHARS ? `${sliceHead(text, MAX_CHARS)}…` : text
}
