import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { isRecord, toJsonObject } from '@longhaul/engine/advanced'
import type { JsonObject } from '@longhaul/engine/advanced'
import type { Slot, Slots } from './tool-ask.ts'

export interface InputParts {
  readonly slots: Slots
  /** Arguments by the tool's own names. */
  readonly given: Readonly<Record<string, unknown>>
  /** For the one argument that nothing else fills. */
  readonly words: string
}

/** What tools call the argument that a slot is for, without underscores. */
const NAMES: Readonly<Record<Slot, RegExp>> = {
  path: /^(?:(?:file|target|abs|absolute|relative)?(?:path|file|filename|filepath)|dir|directory|folder|root|uri|name|key|id)s?$/i,
  content:
    /^(?:(?:new|file)?(?:content|contents|text|body|data)|value|memory|memories|fact|facts|note|notes|message|entry)$/i,
  command: /^(?:command|cmd|script|shell|code|line|input)$/i,
  url: /^(?:url|uri|address|href|link)s?$/i,
  query: /^(?:query|q|search|searchterm|pattern|keywords?|terms?|text|question|regex|needle|input)$/i,
  id: /^(?:\w*id|artifact|name|key|path)$/i,
}

/** The input a schema asks for, made of what is known; null where something required stays unknown or something known has no place. */
export function fillInput(schema: LanguageModelV4FunctionTool['inputSchema'], parts: InputParts): JsonObject | null {
  const properties = propertiesOf(schema)
  const required = new Set(isRecord(schema) && Array.isArray(schema.required) ? schema.required : [])
  const input: Record<string, unknown> = { ...parts.given }
  const open = new Map(Object.entries(parts.slots).filter((slot): slot is [Slot, string] => slot[1] !== undefined))
  const keys = Object.keys(properties).toSorted((a, b) => Number(required.has(b)) - Number(required.has(a)))
  for (const key of keys) {
    if (key in input) continue
    const slot = [...open.keys()].find((name) => NAMES[name].test(key.replaceAll(/[_-]/g, '')))
    if (slot === undefined) continue
    input[key] = shape(open.get(slot) ?? '', properties[key])
    open.delete(slot)
  }
  let words = parts.words
  for (const key of keys.filter((name) => required.has(name) && !(name in input))) {
    const value = guess(properties[key], words)
    if (value === undefined) return null
    if (value === words) words = ''
    input[key] = value
  }
  return open.size > 0 ? null : toJsonObject(input)
}

/** What a schema says of each argument; nothing where it says it in another way. */
export function propertiesOf(schema: LanguageModelV4FunctionTool['inputSchema']): Readonly<Record<string, unknown>> {
  return isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
}

/** A text in the form a property wants: itself, or a list of it. */
function shape(text: string, property: unknown): unknown {
  const types = isRecord(property) ? [property['type']].flat() : []
  return types.includes('array') && !types.includes('string') ? [text] : text
}

/** What is required and was not said: the default, the first choice, nothing special. Words can stand for a text only. */
function guess(property: unknown, words: string): unknown {
  if (!isRecord(property)) return words === '' ? undefined : words
  if ('default' in property) return property['default']
  if ('const' in property) return property['const']
  if (Array.isArray(property['enum'])) return property['enum'][0]
  const types = [property['type']].flat()
  if (words !== '' && (types.includes('string') || property['type'] === undefined)) return words
  if (types.includes('boolean')) return false
  if (types.includes('integer') || types.includes('number')) return property['minimum'] ?? 1
  if (types.includes('array')) return []
  return undefined
}
