import type { ContentPart, JsonObject, Part, ToolOutput } from '@longhaul/engine'
import { fieldsOf, readUnknown, stringOf } from '../read-content.ts'
import type { ToolNames } from '../wire.ts'

/** A content block, and the part of a message that it is read as. */
export interface ReadBlock {
  readonly kind: 'content' | 'result'
  /** null: the block is read as the end of the result before it. */
  readonly part: Part | null
}

/**
 * Reads the blocks of one element. Clients put notes for the model right behind a result, in a text block of its own that
 * no person wrote: such a note belongs to the result, and goes with it.
 */
export function readBlocks(blocks: readonly unknown[], role: string, names: ToolNames): readonly ReadBlock[] {
  const read: ReadBlock[] = []
  let result: { at: number; notes: string[] } | null = null
  blocks.forEach((block, at) => {
    const note = result === null ? null : readNote(block)
    if (note === null) {
      result = fieldsOf(block)['type'] === 'tool_result' && role !== 'assistant' ? { at, notes: [] } : null
      read.push(readBlock(block, role, names))
      return
    }
    result?.notes.push(note)
    read.push({ kind: 'result', part: null })
    const { part } = read[result?.at ?? 0] as ReadBlock
    if (part?.type === 'tool-result')
      read[result?.at ?? 0] = { kind: 'result', part: { ...part, output: addNote(part.output, note) } }
  })
  return read
}

function readNote(block: unknown): string | null {
  const { type, text } = fieldsOf(block)
  return type === 'text' && typeof text === 'string' && isNote(text) ? text : null
}

/** A client wrote it for the model. */
export function isNote(text: string): boolean {
  return /^\s*<system-reminder>/.test(text)
}

function addNote(output: ToolOutput, note: string): ToolOutput {
  return typeof output === 'string' ? `${output}\n${note}` : [...output, { type: 'text', text: note }]
}

function readBlock(block: unknown, role: string, names: ToolNames): ReadBlock {
  const fields = fieldsOf(block)
  if (fields['type'] === 'tool_result' && role !== 'assistant') {
    const id = stringOf(fields['tool_use_id'])
    const part: Part = {
      type: 'tool-result',
      toolCallId: id,
      toolName: names.get(id) ?? '',
      output: readOutput(fields['content']),
      ...(fields['is_error'] === true ? { isError: true } : {}),
    }
    return { kind: 'result', part }
  }
  return { kind: 'content', part: role === 'assistant' ? readSpoken(block, names) : readContent(block) }
}

function readSpoken(block: unknown, names: ToolNames): Part {
  const fields = fieldsOf(block)
  switch (fields['type']) {
    case 'thinking':
      return { type: 'reasoning', text: stringOf(fields['thinking']) || stringOf(fields['signature']) }
    case 'redacted_thinking':
      return { type: 'reasoning', text: stringOf(fields['data']) }
    case 'tool_use': {
      const [id, name] = [stringOf(fields['id']), stringOf(fields['name'])]
      names.set(id, name)
      return { type: 'tool-call', toolCallId: id, toolName: name, input: fieldsOf(fields['input']) as JsonObject }
    }
    default:
      return readContent(block)
  }
}

function readOutput(content: unknown): ToolOutput {
  if (content === undefined || content === null) return ''
  if (!Array.isArray(content)) return typeof content === 'string' ? content : readUnknown(content).text
  const parts = content.map(readContent)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}

function readContent(block: unknown): ContentPart {
  const fields = fieldsOf(block)
  const source = fieldsOf(fields['source'])
  const data = stringOf(source['data']) || stringOf(source['url']) || stringOf(source['file_id'])
  const mediaType = stringOf(source['media_type'])
  switch (fields['type']) {
    case 'text':
      return typeof fields['text'] === 'string' ? { type: 'text', text: fields['text'] } : readUnknown(block)
    case 'image':
      return { type: 'image', image: data, ...(mediaType === '' ? {} : { mediaType }) }
    case 'document':
      if (source['type'] === 'text') return { type: 'text', text: data }
      if (data === '') return readUnknown(block)
      return { type: 'file', data, mediaType: mediaType === '' ? 'application/pdf' : mediaType }
    default:
      return readUnknown(block)
  }
}
