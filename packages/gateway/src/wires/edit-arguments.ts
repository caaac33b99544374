import type { JsonObject } from '@longhaul/engine'
import { decodeJson, decodeText, encodeJson, encodeText } from '../json/bytes.ts'
import { spliceChanges } from '../json/splice-changes.ts'
import { BARE_ARGUMENTS, readArguments, stringOf } from './read-content.ts'

/** The arguments of a call, which OpenAI's wires carry as a string of JSON, with changed values. `raw` holds the quotes. */
export function editArguments(raw: string, input: JsonObject): string {
  const text = stringOf(decodeJson(raw))
  const bare = input[BARE_ARGUMENTS]
  const isObject = readArguments(text)[BARE_ARGUMENTS] !== text
  if (!isObject && typeof bare === 'string') return encodeJson(bare)
  return encodeJson(decodeText(spliceChanges(encodeText(text), input)))
}
