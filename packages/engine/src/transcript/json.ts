/** Anything that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

const MAX_DEPTH = 200
const NO_ANCESTORS: readonly object[] = []
const UNREADABLE = '[unreadable value]'

/**
 * Plain JSON made of whatever came in; the very same value if it was plain JSON already. Never throws: cycles, excess
 * depth and objects that cannot be read (a getter that throws) end in a note.
 */
export function toJson(value: unknown, ancestors = NO_ANCESTORS): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return null
  if (ancestors.includes(value)) return '[circular]'
  if (ancestors.length >= MAX_DEPTH) return '[nested too deeply]'
  try {
    return objectToJson(value, [...ancestors, value])
  } catch {
    return UNREADABLE
  }
}

export function toJsonObject(value: unknown): JsonObject {
  const json = toJson(value)
  return isJsonObject(json) ? json : {}
}

/** Maps a list, but returns the list itself when nothing changed, so that valid input keeps its identity. */
export function mapKeepingIdentity<T>(list: readonly unknown[], map: (element: unknown) => T): readonly T[] {
  const mapped = Array.from(list, (element) => map(element))
  return mapped.every((element, index) => element === list[index]) ? (list as readonly T[]) : mapped
}

/** Text for any value at all: strings as they are, nothing as nothing, objects and lists as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  try {
    const json = toJson(value)
    return typeof json === 'string' ? json : JSON.stringify(json)
  } catch {
    // More characters than a string can hold.
    return UNREADABLE
  }
}

function objectToJson(value: object, path: readonly object[]): JsonValue {
  if (Array.isArray(value)) return mapKeepingIdentity(value, (element) => toJson(element, path))
  // Dates and addresses say themselves what they are in JSON.
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON(), path)
  return recordToJson(value, path)
}

function recordToJson(value: object, path: readonly object[]): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value)
  let changed = prototype !== Object.prototype && prototype !== null
  const fields: [string, JsonValue][] = []
  for (const [key, child] of Object.entries(value)) {
    const json = child === undefined || typeof child === 'function' ? undefined : toJson(child, path)
    if (json === undefined || json !== child) changed = true
    if (json !== undefined) fields.push([key, json])
  }
  // Not by assignment: a key called __proto__ would set the prototype and vanish.
  return changed ? Object.fromEntries(fields) : (value as JsonObject)
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return isRecord(value)
}
