import { outputText } from '@longhaul/engine/advanced'
import type { JsonObject, Part, ToolSchema } from '@longhaul/engine'
import { decodeJson, encodeJson } from '../../json/bytes.ts'
import { findMembers } from '../../json/scan-json.ts'
import { replaceSpans, spliceChanges } from '../../json/splice-changes.ts'
import { editArguments } from '../edit-arguments.ts'
import { editOutput } from '../edit-output.ts'
import { fieldsOf, readCount, readTexts, stringOf } from '../read-content.ts'
import type { PlainMessage, Segment, Wire } from '../wire.ts'
import { ADDED_TOOLS, readItem } from './read-item.ts'

/** OpenAI Responses: what the model does in one step is several items, which together are one message. */
export const openaiResponsesWire: Wire = {
  name: 'openai-responses',
  listKey: 'input',
  readElement(raw, names) {
    const item = decodeJson(raw)
    const holdsTools = fieldsOf(item)['type'] === ADDED_TOOLS
    return { segments: [{ ...readItem(item, names), span: null }], content: null, holdsTools }
  },
  editSegment: (raw, segment, after) => editItem(raw, segment, after),
  writeMessage,
  readSurroundings: (member) => ({
    system: readTexts(readMember(member('instructions'))),
    tools: readTools(member('tools')),
  }),
  writeSummaryCall({ system, prompt, maxOutputTokens }, member) {
    // Some servers of this wire take no member but those that the client itself uses.
    const has = (key: string): boolean => member(key) !== undefined
    const asked = { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }
    const told = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: system }] }
    const members = [
      `"model":${member('model') ?? '""'}`,
      ...(has('instructions') ? [`"instructions":${encodeJson(system)}`] : []),
      `"input":${encodeJson(has('instructions') ? [asked] : [told, asked])}`,
      ...(has('max_output_tokens') ? [`"max_output_tokens":${maxOutputTokens}`] : []),
      '"store":false',
      ...(member('stream') === 'true' ? ['"stream":true'] : []),
    ]
    return `{${members.join(',')}}`
  },
  readAnswerText(answer) {
    const { output } = fieldsOf(answer)
    const items: readonly unknown[] = Array.isArray(output) ? output : []
    return items.map((item) => readTexts(fieldsOf(item)['content']) ?? '').join('')
  },
  readUsage(usage) {
    const [input, output] = [readCount(usage['input_tokens']), readCount(usage['output_tokens'])]
    if (input === 0) return null
    const details = fieldsOf(usage['input_tokens_details'])
    const reasoning = readCount(fieldsOf(usage['output_tokens_details'])['reasoning_tokens'])
    const [cacheRead, cacheWrite] = [readCount(details['cached_tokens']), readCount(details['cache_write_tokens'])]
    return { input, output, cacheRead, cacheWrite, ...(reasoning === 0 ? {} : { reasoning }) }
  },
}

function readMember(raw: string | undefined): unknown {
  return raw === undefined ? null : decodeJson(raw)
}

function editItem(raw: string, { parts }: Segment, after: readonly (Part | null)[]): string | null {
  const [shown] = after
  if (parts.length === 1 && (shown === null || shown === undefined)) return null
  const members = findMembers(raw, 0)
  if (shown?.type === 'tool-result') {
    const [[before], output] = [parts, members.get('output')]
    if (output === undefined || before?.type !== 'tool-result') return raw
    const edit = { before: before.output, shown: shown.output, textType: 'input_text' } as const
    return replaceSpans(raw, [{ ...output, by: editOutput(raw.slice(output.start, output.end), edit) }])
  }
  if (shown?.type !== 'tool-call') return raw
  const [given, bare] = [members.get('arguments'), members.get('input')]
  const other = members.get('action') ?? members.get('operation')
  if (given !== undefined)
    return replaceSpans(raw, [{ ...given, by: editArguments(raw.slice(given.start, given.end), shown.input) }])
  if (bare !== undefined) return replaceSpans(raw, [{ ...bare, by: encodeJson(shown.input['input'] ?? '') }])
  if (other === undefined) return raw
  return replaceSpans(raw, [{ ...other, by: spliceChanges(raw.slice(other.start, other.end), shown.input) }])
}

function writeMessage({ role, parts }: PlainMessage): readonly string[] {
  const content: object[] = []
  const items: object[] = []
  for (const part of parts) {
    if (part.type === 'text')
      content.push({ type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text })
    if (part.type === 'image') content.push({ type: 'input_image', image_url: part.image })
    if (part.type === 'file') content.push({ type: 'input_file', file_data: part.data })
    if (part.type === 'tool-call')
      items.push({
        type: 'function_call',
        call_id: part.toolCallId,
        name: part.toolName,
        arguments: JSON.stringify(part.input),
      })
    if (part.type === 'tool-result')
      items.push({ type: 'function_call_output', call_id: part.toolCallId, output: outputText(part.output) })
  }
  return [...(content.length === 0 ? [] : [{ type: 'message', role, content }]), ...items].map(encodeJson)
}

function readTools(raw: string | undefined): readonly ToolSchema[] {
  const tools = readMember(raw)
  if (!Array.isArray(tools)) return []
  return tools.map((tool: unknown) => {
    const { name, type, description, parameters, ...rest } = fieldsOf(tool)
    const inputSchema = fieldsOf(parameters ?? rest) as JsonObject
    return { name: stringOf(name) || stringOf(type), description: stringOf(description), inputSchema }
  })
}
