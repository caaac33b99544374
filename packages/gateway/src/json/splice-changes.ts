import { isRecord } from '@longhaul/engine/advanced'
import { decodeJson, encodeJson } from './bytes.ts'
import { findElements, findMembers } from './scan-json.ts'
import type { Span } from './scan-json.ts'

/** A stretch of a text with other bytes in its place. */
export interface Replacement extends Span {
  readonly by: string
}

/** The text with other stretches in it. They do not overlap, and come in order. */
export function replaceSpans(text: string, replacements: readonly Replacement[]): string {
  let result = ''
  let at = 0
  for (const { start, end, by } of replacements) {
    result += text.slice(at, start) + by
    at = end
  }
  return result + text.slice(at)
}

/**
 * Writes a changed value over the JSON text of the one before. Whatever is equal in both keeps its bytes: numbers at the
 * edge of precision, the order of keys, escapes.
 */
export function spliceChanges(raw: string, after: unknown): string {
  const before = decodeJson(raw)
  try {
    return splice(raw, before, after)
  } catch {
    // Keys that are escaped or come twice: then the value is written anew.
    return encodeJson(after)
  }
}

function splice(raw: string, before: unknown, after: unknown): string {
  if (isEqual(before, after)) return raw
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const spans = findElements(raw, 0)
    return replaceSpans(
      raw,
      spans.map((span, index) => spliceAt(raw, span, before[index], after[index])),
    )
  }
  if (isRecord(before) && isRecord(after) && hasSameKeys(before, after)) {
    const members = [...findMembers(raw, 0)]
    return replaceSpans(
      raw,
      members.map(([key, span]) => {
        const name = JSON.parse(`"${key}"`) as string
        return spliceAt(raw, span, before[name], after[name])
      }),
    )
  }
  return encodeJson(after)
}

function spliceAt(raw: string, { start, end }: Span, before: unknown, after: unknown): Replacement {
  return { start, end, by: splice(raw.slice(start, end), before, after) }
}

function hasSameKeys(one: object, other: object): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key))
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  // A stored value has been through JSON, which has no infinity and no negative zero.
  if (typeof one === 'number') return JSON.stringify(one) === JSON.stringify(other)
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]))
  if (!isRecord(one) || !isRecord(other)) return false
  return hasSameKeys(one, other) && Object.keys(one).every((key) => isEqual(one[key], other[key]))
}
