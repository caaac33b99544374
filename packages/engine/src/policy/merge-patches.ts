import { isRecord } from '../transcript/json.ts'
import type { JsonObject, JsonValue } from '../transcript/json.ts'
import { ONE_OF_GROUPS } from './policy-keys.ts'

/**
 * One patch that does what two do in turn: the later one wins key by key, and setting one key of a one-of group removes
 * what the earlier patch said for its siblings. Neither is checked here; `parsePolicy` does that.
 */
export function mergePatches(earlier: JsonObject, later: JsonObject): JsonObject {
  return mergeGroup(earlier, later, '')
}

function mergeGroup(earlier: JsonObject, later: JsonObject, path: string): JsonObject {
  const replaced = findReplaced(later, path)
  const merged = new Map(Object.entries(earlier).filter(([key]) => !replaced.has(`${path}${key}`)))
  for (const [key, value] of Object.entries(later)) {
    const before = merged.get(key)
    merged.set(key, isGroup(before) && isGroup(value) ? mergeGroup(before, value, `${path}${key}.`) : value)
  }
  return Object.fromEntries(merged)
}

function findReplaced(later: JsonObject, path: string): ReadonlySet<string> {
  const isSet = (name: string): boolean => name.startsWith(path) && typeof later[name.slice(path.length)] === 'number'
  return new Set(ONE_OF_GROUPS.filter((names) => names.some(isSet)).flat())
}

function isGroup(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value)
}
