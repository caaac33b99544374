import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { Part } from '@longhaul/engine/advanced'
import { outputOf, readString, recordAt } from '@longhaul/store/jsonl'
import type { Fields } from '@longhaul/store/jsonl'

/** An item of the Responses API, as Codex keeps it, by who says it. */
export type CodexItem =
  | { readonly by: 'user'; readonly id: string | undefined; readonly parts: readonly Part[] }
  | { readonly by: 'assistant'; readonly id: string | undefined; readonly parts: readonly Part[] }
  | { readonly by: 'tool'; readonly id: string | undefined; readonly parts: readonly Part[] }

/** null: no part of the conversation, such as instructions and lists of tools. `names`: tools by call, for their results. */
export function readCodexItem(item: Fields, names: Map<string, string>): CodexItem | null {
  const id = readString(item['id'])
  const said = (part: unknown): CodexItem => ({ by: 'assistant', id, parts: readParts([part], 'assistant') })
  const call = (toolName: unknown, input: unknown): CodexItem => {
    const toolCallId = textOf(item['call_id'] ?? item['id'])
    names.set(toolCallId, textOf(toolName))
    return said({ type: 'tool-call', toolCallId, toolName, input })
  }
  switch (item['type']) {
    case 'message':
      return readMessage(item, id)
    case 'agent_message':
      return { by: 'user', id, parts: readContent(item['content']) }
    case 'reasoning':
      return { by: 'assistant', id, parts: readReasoning(item) }
    case 'function_call':
    case 'tool_search_call':
      return call(item['name'] ?? item['type'], item['arguments'])
    case 'custom_tool_call':
      return call(item['name'], { input: textOf(item['input']) })
    case 'local_shell_call':
      return call('shell', item['action'])
    case 'web_search_call':
      return call('web_search', item['action'])
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return { by: 'tool', id, parts: readResult(item, names) }
    default:
      return null
  }
}

function readMessage(item: Fields, id: string | undefined): CodexItem | null {
  const { role } = item
  if (role !== 'user' && role !== 'assistant') return null
  if (role === 'assistant') return { by: role, id, parts: readParts(readContent(item['content']), role) }
  const parts = readContent(item['content']).filter((part) => !isSurroundings(part))
  return parts.length === 0 ? null : { by: role, id, parts }
}

function readContent(content: unknown): readonly Part[] {
  if (!Array.isArray(content)) return readParts(content, 'user')
  return readParts(
    content.filter((part) => !isRecord(part) || part['type'] !== 'encrypted_content').map(fromPart),
    'user',
  )
}

function fromPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part['text'] }
    case 'input_image':
      return { type: 'image', image: part['image_url'] }
    default:
      return part
  }
}

/**
 * Codex says these in the user's name: where it runs, the project's instructions, an interruption. It says them anew
 * after each compaction.
 */
const SURROUNDINGS =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted|skills_instructions|collaboration_mode)\b|# AGENTS\.md instructions for )/

function isSurroundings(part: Part): boolean {
  return part.type === 'text' && SURROUNDINGS.test(part.text)
}

/** The summary of the thoughts where there is no more; most are encrypted. */
function readReasoning({ summary, content }: Fields): readonly Part[] {
  const texts = [content, summary].map((list) =>
    Array.isArray(list) ? list.flatMap((part) => (isRecord(part) ? [textOf(part['text'])] : [])).join('\n') : '',
  )
  const text = texts.find((each) => each !== '')
  return text === undefined ? [] : [{ type: 'reasoning', text }]
}

function readResult(item: Fields, names: ReadonlyMap<string, string>): readonly Part[] {
  const toolCallId = textOf(item['call_id'])
  const { output, tools } = item
  // Earlier versions wrapped the text with a flag; version 0.40 and before wrapped it as JSON with the exit code.
  const content = isRecord(output) ? (output['content'] ?? output['content_items']) : (output ?? tools)
  const read = Array.isArray(content) ? outputOf(readContent(content)) : unwrap(textOf(content))
  const isError = isRecord(output) && output['success'] === false
  const result = { type: 'tool-result', toolCallId, toolName: names.get(toolCallId), output: read }
  return readParts([isError ? { ...result, isError } : result], 'tool')
}

function unwrap(text: string): string {
  if (!text.startsWith('{"output":')) return text
  try {
    const wrapped: unknown = JSON.parse(text)
    return readString(recordAt({ wrapped }, 'wrapped')['output']) ?? text
  } catch {
    return text
  }
}
