import type { ContentPart, JsonObject, Part, ToolOutput } from '@longhaul/engine'
import { fieldsOf, readArguments, readDataUrl, readTexts, readUnknown, stringOf } from '../read-content.ts'
import type { Segment, ToolNames } from '../wire.ts'

type ReadItem = Pick<Segment, 'role' | 'parts' | 'joins' | 'isStanding'>

/** Items that stand for what came before them, and items that set something from there on: nothing may take their place. */
const PASSED = ['compaction', 'compaction_summary', 'context_compaction', 'item_reference', 'configuration_update']

/** Codex offers the tools of its newer models in an item of the list. */
export const ADDED_TOOLS = 'additional_tools'

/** Reads an item of a Responses list. The items of one step of the model join into one message. */
export function readItem(item: unknown, names: ToolNames): ReadItem {
  if (typeof item === 'string') return { role: 'user', parts: [{ type: 'text', text: item }], joins: false }
  const fields = fieldsOf(item)
  const type = stringOf(fields['type']) || 'message'
  if (PASSED.includes(type)) return PASS
  if (type === 'message') return readMessage(fields)
  if (type === ADDED_TOOLS) return { role: 'system', parts: [readUnknown(item)], joins: false }
  const id = stringOf(fields['call_id'])
  if (type.endsWith('_output') && id !== '') {
    const output = readOutput(fields['output'])
    const parts: Part[] = [{ type: 'tool-result', toolCallId: id, toolName: names.get(id) ?? '', output }]
    return { role: 'tool', parts, joins: false }
  }
  return { role: 'assistant', parts: [readSpoken(item, { type, id, names })], joins: true }
}

const PASS: ReadItem = { role: null, parts: [], joins: false }

function readMessage({ role, content }: Readonly<Record<string, unknown>>): ReadItem {
  if (role === 'system' || role === 'developer')
    return { role: 'system', parts: [{ type: 'text', text: readTexts(content) ?? '' }], joins: false }
  if (role !== 'user' && role !== 'assistant') return PASS
  const parts = readContent(content)
  const [first] = parts
  if (role === 'user' && first?.type === 'text' && STANDING.test(first.text))
    return { role: 'system', parts, joins: false, isStanding: true }
  return parts.length === 0 ? PASS : { role, parts, joins: role === 'assistant' }
}

/** Codex says in messages of the user what surrounds it, and what the project's instructions are. */
const STANDING = /^\s*(?:<environment_context>|<user_instructions>|# AGENTS\.md instructions)/

interface SpokenItem {
  readonly type: string
  readonly id: string
  readonly names: ToolNames
}

function readSpoken(item: unknown, { type, id, names }: SpokenItem): Part {
  const fields = fieldsOf(item)
  if (type === 'reasoning') {
    const text = readTexts(fields['summary']) ?? readTexts(fields['content']) ?? stringOf(fields['encrypted_content'])
    return { type: 'reasoning', text }
  }
  if (id === '') return readUnknown(item)
  const name = stringOf(fields['name']) || type.replace(/_call$/, '')
  names.set(id, name)
  return { type: 'tool-call', toolCallId: id, toolName: name, input: readInput(fields) }
}

function readInput(fields: Readonly<Record<string, unknown>>): JsonObject {
  if (typeof fields['arguments'] === 'string') return readArguments(fields['arguments'])
  if (typeof fields['input'] === 'string') return { input: fields['input'] }
  return fieldsOf(fields['action'] ?? fields['operation']) as JsonObject
}

function readContent(content: unknown): readonly ContentPart[] {
  if (content === null || content === undefined || content === '') return []
  return Array.isArray(content) ? content.map(readPart) : [readPart(content)]
}

function readPart(part: unknown): ContentPart {
  if (typeof part === 'string') return { type: 'text', text: part }
  const fields = fieldsOf(part)
  switch (fields['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return typeof fields['text'] === 'string' ? { type: 'text', text: fields['text'] } : readUnknown(part)
    case 'input_image': {
      const url = stringOf(fields['image_url']) || stringOf(fields['file_id'])
      return { type: 'image', image: url, ...readDataUrl(url) }
    }
    case 'input_file': {
      const data = stringOf(fields['file_data']) || stringOf(fields['file_url']) || stringOf(fields['file_id'])
      return { type: 'file', data, mediaType: readDataUrl(data).mediaType ?? 'application/pdf' }
    }
    default:
      return readUnknown(part)
  }
}

function readOutput(output: unknown): ToolOutput {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return readUnknown(output ?? '').text
  const parts = output.map(readPart)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}
