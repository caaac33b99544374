import { isRecord } from '@longhaul/engine/advanced'

export type JsonRecord = Readonly<Record<string, unknown>>

export function recordsIn(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The text of a content that is a string or a list of parts with `text`. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return recordsIn(content)
    .map((part) => part['text'])
    .filter((text) => typeof text === 'string')
    .join('\n')
}

export function stringIn(record: JsonRecord, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}
