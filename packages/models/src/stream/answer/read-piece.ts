import type { LanguageModelV4File, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { isRecord, toJsonObject } from '@longhaul/engine/advanced'
import type { FilePart, ImagePart, JsonObject, ToolCallPart } from '@longhaul/engine/advanced'
import { mergeOptions, storeOptions } from './text-block.ts'

/** `index`: its place in the answer, to name a call by that came without an id. */
export function readToolCall(call: LanguageModelV4ToolCall, index: number): ToolCallPart {
  return {
    type: 'tool-call',
    // A call that has no id, or one that an address takes for a step, could not be answered.
    toolCallId: /^\.{0,2}$/.test(call.toolCallId) ? `call_${index}` : call.toolCallId,
    toolName: call.toolName,
    input: readInput(call.input),
    ...storeOptions(mergeOptions({}, call.providerMetadata)),
  }
}

export function readFile({ mediaType, data, providerMetadata }: LanguageModelV4File): ImagePart | FilePart {
  const content = data.type === 'url' ? data.url.toString() : toBase64(data.data)
  const opaque = storeOptions(mergeOptions({}, providerMetadata))
  return mediaType.startsWith('image/')
    ? { type: 'image', image: content, mediaType, ...opaque }
    : { type: 'file', data: content, mediaType, ...opaque }
}

/** Every provider wants an object back, also from a model that wrote something else or was cut off. */
function readInput(text: string): JsonObject {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (isRecord(parsed)) return toJsonObject(parsed)
  } catch {
    // Not JSON; kept as it came.
  }
  return { _raw: text }
}

function toBase64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64')
}
