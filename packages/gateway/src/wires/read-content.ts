import { isRecord } from '@longhaul/engine/advanced'
import type { JsonObject, TextPart } from '@longhaul/engine'

type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A number of tokens; 0 where there is none. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0
}

/** A block that this gateway does not know is measured, and read, as its JSON. */
export function readUnknown(value: unknown): TextPart {
  return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Arguments arrive as JSON in a string; a model may have written something else. */
export function readArguments(text: unknown): JsonObject {
  try {
    const value: unknown = JSON.parse(stringOf(text))
    if (isRecord(value)) return value as JsonObject
  } catch {
    // Not JSON: kept as the string it is.
  }
  return { [BARE_ARGUMENTS]: stringOf(text) }
}

/** The key under which arguments stand that are no object. */
export const BARE_ARGUMENTS = 'arguments'

export function readDataUrl(url: string): { readonly mediaType?: string } {
  const [, mediaType] = /^data:([^;,]+)/.exec(url) ?? []
  return mediaType === undefined ? {} : { mediaType }
}

/** The texts in a system prompt: a string, or a list of text blocks. */
export function readTexts(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (!Array.isArray(value)) return null
  return value.map((block: unknown) => stringOf(fieldsOf(block)['text'])).join('\n') || null
}
