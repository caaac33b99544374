import type { ContentPart, JsonObject, Part, ToolOutput } from '@longhaul/engine'
import { fieldsOf, readArguments, readDataUrl, readTexts, readUnknown, stringOf } from '../read-content.ts'
import type { Segment, ToolNames } from '../wire.ts'

/** Reads a message of Chat Completions: first what was thought, then what was said, then the calls. */
export function readMessage(message: unknown, names: ToolNames): Pick<Segment, 'role' | 'parts'> {
  const fields = fieldsOf(message)
  const { role, content } = fields
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: [{ type: 'text', text: readTexts(content) ?? '' }] }
    case 'user':
    case 'function':
      return sayOrPass('user', readContent(content))
    case 'assistant':
      return sayOrPass('assistant', [
        ...readReasoning(fields),
        ...readContent(content),
        ...readContent(fields['refusal']),
        ...readCalls(fields, names),
      ])
    case 'tool': {
      const id = stringOf(fields['tool_call_id'])
      const output = readOutput(content)
      return { role: 'tool', parts: [{ type: 'tool-result', toolCallId: id, toolName: names.get(id) ?? '', output }] }
    }
    default:
      return { role: null, parts: [] }
  }
}

function sayOrPass(role: 'user' | 'assistant', parts: readonly Part[]): Pick<Segment, 'role' | 'parts'> {
  return parts.length === 0 ? { role: null, parts } : { role, parts }
}

/** Servers that speak this wire name what a model thought in one of these fields. */
function readReasoning(fields: Readonly<Record<string, unknown>>): readonly Part[] {
  const text = stringOf(fields['reasoning_content']) || stringOf(fields['reasoning'])
  return text === '' ? [] : [{ type: 'reasoning', text }]
}

function readContent(content: unknown): readonly ContentPart[] {
  if (content === null || content === undefined || content === '') return []
  return Array.isArray(content) ? content.map(readPart) : [readPart(content)]
}

function readPart(part: unknown): ContentPart {
  if (typeof part === 'string') return { type: 'text', text: part }
  const fields = fieldsOf(part)
  switch (fields['type']) {
    case 'text':
      return typeof fields['text'] === 'string' ? { type: 'text', text: fields['text'] } : readUnknown(part)
    case 'image_url': {
      const url = stringOf(fieldsOf(fields['image_url'])['url'])
      return { type: 'image', image: url, ...readDataUrl(url) }
    }
    case 'file': {
      const file = fieldsOf(fields['file'])
      const data = stringOf(file['file_data']) || stringOf(file['file_id'])
      return { type: 'file', data, mediaType: readDataUrl(data).mediaType ?? 'application/pdf' }
    }
    default:
      return readUnknown(part)
  }
}

function readCalls(fields: Readonly<Record<string, unknown>>, names: ToolNames): readonly Part[] {
  const calls: readonly unknown[] = Array.isArray(fields['tool_calls']) ? fields['tool_calls'] : []
  const legacy = fields['function_call']
  return [
    ...(legacy === undefined || legacy === null ? [] : [readUnknown(legacy)]),
    ...calls.map((call) => readCall(call, names)),
  ]
}

function readCall(call: unknown, names: ToolNames): Part {
  const fields = fieldsOf(call)
  const id = stringOf(fields['id'])
  const custom = fieldsOf(fields['custom'])
  const called = fieldsOf(fields['function'])
  const isCustom = fields['type'] === 'custom'
  const name = stringOf(isCustom ? custom['name'] : called['name'])
  const input: JsonObject = isCustom ? { input: stringOf(custom['input']) } : readArguments(called['arguments'])
  names.set(id, name)
  return { type: 'tool-call', toolCallId: id, toolName: name, input }
}

function readOutput(content: unknown): ToolOutput {
  if (typeof content === 'string') return content
  const parts = readContent(content)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}
