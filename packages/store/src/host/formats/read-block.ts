import type { ContentPart, Part } from '@longhaul/engine'
import { isRecord, textOf } from '@longhaul/engine/advanced'
import { readMedia } from './read-media.ts'

/** A piece of a message in the format of some vendor or framework. */
export type Block = Readonly<Record<string, unknown>>

/** Blocks that repeat a tool call, which the message names once more elsewhere. */
const CALLS = /^(tool_use|tool_call|tool_call_chunk|input_json_delta|function_call|functionCall)$/
const MEDIA = /^(input_)?(image|image_url|audio|video|file|document)$|^computer_screenshot$/
const IMAGE = /image|screenshot/

/** The fields in which blocks of the various formats keep their content. */
const NESTED = ['source', 'image_url', 'image', 'file', 'input_audio'] as const
const CARRIED = 'url data text image_url image file file_data file_url audio fileId file_id id'.split(' ')

/** Reads a block in any of the formats that vendors and frameworks have. null: the message says it elsewhere. */
export function readBlock(block: Block): Exclude<Part, { type: 'tool-call' | 'tool-result' }> | null {
  const type = textOf(block['type'])
  if (CALLS.test(type)) return null
  if (/^((input|output)_)?text$|^refusal$/.test(type)) {
    return { type: 'text', text: textOf(block['text'] ?? block['refusal']) }
  }
  if (/^(redacted_)?thinking$|^reasoning/.test(type)) return { type: 'reasoning', text: readReasoning(block) }
  if (!MEDIA.test(type)) return { type: 'text', text: textOf(block) }
  const fields = NESTED.map((name) => block[name]).find(isRecord) ?? block
  const found = CARRIED.map((name) => fields[name]).find((value) => value !== undefined && value !== null)
  const data = readMedia(found) ?? textOf(found)
  const { mimeType, mime_type, media_type, mediaType = mimeType, format } = { ...block, ...fields }
  const kind = textOf(mediaType ?? mime_type ?? media_type ?? format)
  if (IMAGE.test(type)) return { type: 'image', image: data, mediaType: kind || 'image' }
  return { type: 'file', data, mediaType: kind || 'application/octet-stream' }
}

/** Reads a block where only content can stand: anything else is read as words. */
export function readContent(block: Block): ContentPart {
  const part = readBlock(block)
  return part === null || part.type === 'reasoning' ? { type: 'text', text: textOf(block) } : part
}

/** The words of a thought; one that its provider has encrypted has none, and counts by its length. */
export function readReasoning(block: Block): string {
  const { thinking, reasoning, rawContent, content, summary, reasoningText, providerData } = block
  const words = thinking ?? reasoning ?? (isRecord(reasoningText) ? reasoningText['text'] : undefined)
  if (typeof words === 'string') return words
  for (const list of [rawContent, content, summary]) {
    const lines = Array.isArray(list) ? list.filter(isRecord).map(({ text }) => textOf(text)) : []
    if (lines.some((line) => line !== '')) return lines.join('\n\n')
  }
  const {
    data,
    encrypted_content: encrypted,
    encryptedContent,
  } = {
    ...block,
    ...(isRecord(providerData) ? providerData : {}),
  }
  return textOf(data ?? encrypted ?? encryptedContent)
}

/** Data of a file as an address: its own, or a data URL. */
export function toAddress(data: string, mediaType: string): string {
  return isAddress(data) ? data : `data:${mediaType};base64,${data}`
}

/** Whether it says where a file lies, or holds it as a data URL. */
export function isAddress(data: string): boolean {
  return /^(https?|data):/i.test(data)
}
