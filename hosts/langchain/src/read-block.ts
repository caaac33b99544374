import type { ContentPart, Part } from '@longhaul/engine'
import { isRecord, textOf } from '@longhaul/engine/advanced'
import { readMedia } from '@longhaul/store/host'

export type Block = Readonly<Record<string, unknown>>

/** Blocks that repeat a tool call, which the message names once more in `tool_calls`. */
const CALLS = /^(tool_use|tool_call|tool_call_chunk|input_json_delta|function_call|functionCall)$/
const MEDIA = /^(input_)?(image|image_url|audio|video|file|document)$/

/** The fields in which blocks of the various formats keep their content. */
const NESTED = ['source', 'image_url', 'file', 'input_audio'] as const
const CARRIED = ['url', 'data', 'text', 'image_url', 'file_data', 'file_url', 'fileId', 'file_id', 'id'] as const

/** Reads a block in any of the formats that models of LangChain know. null: the message says it elsewhere. */
export function readBlock(block: Block): Exclude<Part, { type: 'tool-call' | 'tool-result' }> | null {
  const type = textOf(block['type'])
  if (CALLS.test(type)) return null
  if (/^((input|output)_)?text$/.test(type)) return { type: 'text', text: textOf(block['text']) }
  if (/^(redacted_)?thinking$|^reasoning/.test(type)) return { type: 'reasoning', text: readReasoning(block) }
  if (!MEDIA.test(type)) return { type: 'text', text: textOf(block) }
  const fields = NESTED.map((name) => block[name]).find(isRecord) ?? block
  const found = CARRIED.map((name) => fields[name]).find((value) => value !== undefined && value !== null)
  const data = readMedia(found) ?? textOf(found)
  const { mimeType, mime_type, media_type } = { ...block, ...fields }
  const mediaType = textOf(mimeType ?? mime_type ?? media_type)
  if (type.includes('image')) return { type: 'image', image: data, mediaType: mediaType || 'image' }
  return { type: 'file', data, mediaType: mediaType || 'application/octet-stream' }
}

/** The words of a thought; one that its provider has encrypted has none, and counts by its length. */
export function readReasoning(block: Block): string {
  const { thinking, reasoning, summary, reasoningText, data, encrypted_content: encrypted } = block
  const words = thinking ?? reasoning ?? (isRecord(reasoningText) ? reasoningText['text'] : undefined)
  if (typeof words === 'string') return words
  const lines = Array.isArray(summary) ? summary.filter(isRecord).map(({ text }) => textOf(text)) : []
  return lines.length > 0 ? lines.join('\n\n') : textOf(data ?? encrypted)
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
