import type { JsonObject } from '@longhaul/engine/advanced'

/** Arguments come from a model: what is not of the right kind is read as missing. */
export function readText(input: JsonObject, key: string): string {
  const value = input[key]
  return typeof value === 'string' ? value.trim() : ''
}

export function readCount(input: JsonObject, key: string, fallback: number): number {
  const value = input[key]
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : fallback
}

export function readList(input: JsonObject, key: string): readonly string[] {
  const value = input[key]
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : []
}

export function objectSchema(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}
