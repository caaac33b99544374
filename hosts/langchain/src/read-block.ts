import type { ContentPart, Part } from '@longhaul/engine'
import { isRecord, textOf } from '@longhaul/engine/advanced'

export type Block = Readonly<Record<string, unknown>>

/** Blocks that repeat a tool call, which the message names once more in `tool_calls`. */
const CALLS: readonly unknown[] = [
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'input_json_delta',
  'function_call',
  'functionCall',
]

/** Reads a block in any of the formats that models of LangChain know. null: the message says it elsewhere. */
export function readBlock(block: Block): Exclude<Part, { type: 'tool-call' | 'tool-result' }> | null {
  const { type } = block
  if (CALLS.includes(type)) return null
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: textOf(block['text']) }
    case 'thinking':
    case 'redacted_thinking':
    case 'reasoning':
    case 'reasoning_content':
      return { type: 'reasoning', text: readReasoning(block) }
    case 'image':
    case 'image_url':
    case 'input_image':
      return { type: 'image', image: dataOf(block), mediaType: mediaTypeOf(block, 'image') }
    case 'audio':
    case 'video':
    case 'file':
    case 'document':
    case 'input_file':
    case 'input_audio':
      return { type: 'file', data: dataOf(block), mediaType: mediaTypeOf(block, 'application/octet-stream') }
    default:
      return { type: 'text', text: textOf(block) }
  }
}

/** The words of a thought; one that its provider has encrypted has none, and counts by its length. */
export function readReasoning(block: Block): string {
  const { thinking, reasoning, summary, reasoningText, data, encrypted_content: encrypted } = block
  const words = thinking ?? reasoning ?? (isRecord(reasoningText) ? reasoningText['text'] : undefined)
  if (typeof words === 'string') return words
  const lines = Array.isArray(summary) ? summary.filter(isRecord).map(({ text }) => textOf(text)) : []
  return lines.length > 0 ? lines.join('\n\n') : textOf(data ?? encrypted)
}

/** Where the blocks of the various formats keep what they carry. */
const NESTED = ['source', 'image_url', 'file', 'input_audio'] as const
const CARRIED = ['url', 'data', 'text', 'image_url', 'file_data', 'file_url', 'fileId', 'file_id', 'id'] as const

function fieldsOf(block: Block): Block {
  return NESTED.map((name) => block[name]).find(isRecord) ?? block
}

function dataOf(block: Block): string {
  const fields = fieldsOf(block)
  const found = CARRIED.map((name) => fields[name]).find((value) => value !== undefined && value !== null)
  return found instanceof Uint8Array ? encode(found) : textOf(found)
}

function mediaTypeOf(block: Block, otherwise: string): string {
  const { mimeType, mime_type, media_type } = { ...block, ...fieldsOf(block) }
  return textOf(mimeType ?? mime_type ?? media_type) || otherwise
}

/** Bytes are written out once: an app hands over the same ones at every call. */
const base64 = new WeakMap<Uint8Array, string>()

function encode(bytes: Uint8Array): string {
  const known = base64.get(bytes) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  base64.set(bytes, known)
  return known
}

/** A block that every model of LangChain reads. */
export function writeBlock(part: ContentPart): Block {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image': {
      const { image, mediaType = 'image/png' } = part
      const url = isAddress(image) ? image : `data:${mediaType};base64,${image}`
      return { type: 'image_url', image_url: { url } }
    }
    case 'file': {
      const { data, mediaType } = part
      const carried = isAddress(data) ? { source_type: 'url', url: data } : { source_type: 'base64', data }
      return { type: 'file', mime_type: mediaType, ...carried }
    }
    default:
      return part satisfies never
  }
}

function isAddress(data: string): boolean {
  return /^(https?|data):/i.test(data)
}
