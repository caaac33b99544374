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
const UNREADABLE = '[unreadable value]'

/**
 * Plain JSON made of whatever came in; the very same value if it was plain JSON already. Never throws: cycles, excess
 * depth and objects that cannot be read (a getter that throws) end in a note.
 */
export function toJson(value: unknown): JsonValue {
  return walk(value, [])
}

/** `ancestors` is one stack for the whole walk: most values are plain already, and this runs on every entry that is read. */
function walk(value: unknown, ancestors: object[]): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return null
  if (ancestors.includes(value)) return '[circular]'
  if (ancestors.length >= MAX_DEPTH) return '[nested too deeply]'
  ancestors.push(value)
  const depth = ancestors.length
  try {
    return objectToJson(value, ancestors)
  } catch {
    return UNREADABLE
  } finally {
    ancestors.length = depth - 1
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

function objectToJson(value: object, ancestors: object[]): JsonValue {
  if (Array.isArray(value)) return mapKeepingIdentity(value, (element) => walk(element, ancestors))
  // Dates and addresses say themselves what they are in JSON.
  if ('toJSON' in value && typeof value.toJSON === 'function') return walk(value.toJSON(), ancestors)
  return recordToJson(value as Readonly<Record<string, unknown>>, ancestors)
}

function recordToJson(value: Readonly<Record<string, unknown>>, ancestors: object[]): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value)
  const keys = Object.keys(value)
  const children = keys.map((key) => value[key])
  const read = children.map((child) =>
    child === undefined || typeof child === 'function' ? undefined : walk(child, ancestors),
  )
  const isPlain = prototype === Object.prototype || prototype === null
  if (isPlain && read.every((json, index) => json !== undefined && json === children[index])) return value as JsonObject
  // Not by assignment: a key called __proto__ would set the prototype and vanish.
  const fields = keys.flatMap((key, index): [string, JsonValue][] => {
    const json = read[index]
    return json === undefined ? [] : [[key, json]]
  })
  return Object.fromEntries(fields)
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return isRecord(value)
}
