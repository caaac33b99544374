import { outputText } from '@longhaul/engine/advanced'
import type { JsonObject, Part, ToolSchema } from '@longhaul/engine'
import { decodeJson, encodeJson } from '../../json/bytes.ts'
import { findElements, findMembers } from '../../json/scan-json.ts'
import type { Span } from '../../json/scan-json.ts'
import { replaceSpans } from '../../json/splice-changes.ts'
import type { Replacement } from '../../json/splice-changes.ts'
import { editArguments } from '../edit-arguments.ts'
import { editOutput } from '../edit-output.ts'
import { fieldsOf, readCount, stringOf } from '../read-content.ts'
import type { PlainMessage, RawMember, Segment, Wire } from '../wire.ts'
import { readMessage } from './read-message.ts'

/** OpenAI Chat Completions, which most other servers speak too: every element is a message. */
export const openaiChatWire: Wire = {
  name: 'openai-chat',
  listKey: 'messages',
  readElement: (raw, names) => ({
    segments: [{ ...readMessage(decodeJson(raw), names), span: null, joins: false }],
    content: null,
  }),
  editSegment: (raw, segment, after) => editMessage(raw, segment, after),
  writeMessage,
  readSurroundings: (member) => ({ system: null, tools: readTools(member('tools')) }),
  writeSummaryCall({ system, prompt, maxOutputTokens }, member) {
    const members = [
      `"model":${member('model') ?? '""'}`,
      `"messages":${encodeJson([
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ])}`,
      `"${limitKey(member)}":${maxOutputTokens}`,
    ]
    return `{${members.join(',')}}`
  },
  readAnswerText(answer) {
    const { choices } = fieldsOf(answer)
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined
    return stringOf(fieldsOf(fieldsOf(first)['message'])['content'])
  },
  readUsage(usage) {
    const [input, output] = [readCount(usage['prompt_tokens']), readCount(usage['completion_tokens'])]
    if (input === 0) return null
    const cached = readCount(fieldsOf(usage['prompt_tokens_details'])['cached_tokens'])
    const reasoning = readCount(fieldsOf(usage['completion_tokens_details'])['reasoning_tokens'])
    return { input, output, cacheRead: cached, ...(reasoning === 0 ? {} : { reasoning }) }
  },
}

/** Newer models refuse the older name, and other servers know only that one: the client's own choice is followed. */
function limitKey(member: RawMember): 'max_tokens' | 'max_completion_tokens' {
  if (member('max_completion_tokens') !== undefined) return 'max_completion_tokens'
  if (member('max_tokens') !== undefined) return 'max_tokens'
  return /^"(?:o\d|gpt-5)/.test(member('model') ?? '') ? 'max_completion_tokens' : 'max_tokens'
}

/** Only calls and results change. What was thought carries no signature on this wire, and stays. */
function editMessage(raw: string, { role, parts }: Segment, after: readonly (Part | null)[]): string {
  const members = findMembers(raw, 0)
  if (role === 'tool') {
    const [shown] = after
    const content = members.get('content')
    const [before] = parts
    if (content === undefined || shown?.type !== 'tool-result' || before?.type !== 'tool-result') return raw
    const edit = { before: before.output, shown: shown.output, textType: 'text' } as const
    return replaceSpans(raw, [{ ...content, by: editOutput(raw.slice(content.start, content.end), edit) }])
  }
  const calls = members.get('tool_calls')
  if (calls === undefined) return raw
  const spans = findElements(raw, calls.start)
  const first = parts.length - spans.length
  return replaceSpans(
    raw,
    spans.flatMap((span, index) => editCall(raw, span, parts[first + index], after[first + index] ?? null)),
  )
}

function editCall(raw: string, span: Span, before: Part | undefined, shown: Part | null): readonly Replacement[] {
  if (shown?.type !== 'tool-call' || before === shown) return []
  const members = findMembers(raw, span.start)
  const custom = members.get('custom')
  const called = custom ?? members.get('function')
  if (called === undefined) return []
  const value = findMembers(raw, called.start).get(custom === undefined ? 'arguments' : 'input')
  if (value === undefined) return []
  const own = raw.slice(value.start, value.end)
  const by = custom === undefined ? editArguments(own, shown.input) : encodeJson(shown.input['input'] ?? '')
  return [{ ...value, by }]
}

function writeMessage({ role, parts }: PlainMessage): readonly string[] {
  if (role === 'tool')
    return parts.flatMap((part) =>
      part.type === 'tool-result'
        ? [encodeJson({ role: 'tool', tool_call_id: part.toolCallId, content: outputText(part.output) })]
        : [],
    )
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.toolCallId,
            type: 'function',
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  )
  return [encodeJson({ role, content: writeContent(parts), ...(calls.length === 0 ? {} : { tool_calls: calls }) })]
}

function writeContent(parts: readonly Part[]): unknown {
  const said = parts.filter(({ type }) => type === 'text' || type === 'image' || type === 'file')
  if (said.every((part) => part.type === 'text')) return said.map((part) => part.text).join('\n')
  return said.map((part) => {
    if (part.type === 'image') return { type: 'image_url', image_url: { url: part.image } }
    if (part.type === 'file') return { type: 'file', file: { file_data: part.data } }
    return part
  })
}

function readTools(raw: string | undefined): readonly ToolSchema[] {
  const tools = raw === undefined ? [] : decodeJson(raw)
  if (!Array.isArray(tools)) return []
  return tools.map((tool: unknown) => {
    const own = fieldsOf(tool)
    const { name, description, parameters, ...rest } = fieldsOf(own['function'] ?? own)
    const inputSchema = fieldsOf(parameters ?? rest) as JsonObject
    return { name: stringOf(name), description: stringOf(description), inputSchema }
  })
}
