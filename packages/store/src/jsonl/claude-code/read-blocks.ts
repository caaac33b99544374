import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { Part, Role } from '@longhaul/engine/advanced'
import type { Fields } from '../parse-lines.ts'
import { optional, outputOf, readString, recordAt } from '../read-values.ts'

/** The blocks of the Anthropic API as our parts; results apart, because they make a message of their own here. */
export interface Blocks {
  readonly parts: readonly Part[]
  readonly results: readonly Part[]
}

export function readBlocks(content: unknown, role: Role, toolNames: ReadonlyMap<string, string>): Blocks {
  if (!Array.isArray(content)) return { parts: readParts(content, role), results: [] }
  return {
    parts: readParts(content.filter((block) => !isResult(block)).map(fromBlock), role),
    results: readParts(
      content.filter(isResult).map((block) => fromResult(block, toolNames)),
      'tool',
    ),
  }
}

/** Some tools that write this format give results a type of their own. */
export function isMessageLine({ type, message }: Fields): boolean {
  return (type === 'user' || type === 'assistant' || type === 'tool_result') && isRecord(message)
}

/** A line in which the user says something, as against results, notes of the program and summaries. */
export function isPrompt({ type, message, isMeta, isCompactSummary }: Fields): boolean {
  if (type !== 'user' || isMeta === true || isCompactSummary === true || !isRecord(message)) return false
  const { content } = message
  return !Array.isArray(content) || !content.some(isResult)
}

export function textOfContent(content: unknown): string {
  const texts = readBlocks(content, 'user', new Map()).parts.flatMap((part) =>
    part.type === 'text' ? [part.text] : [],
  )
  return texts.join('\n')
}

function isResult(block: unknown): block is Fields {
  return isRecord(block) && block['type'] === 'tool_result'
}

function fromBlock(block: unknown): unknown {
  if (!isRecord(block)) return block
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: block['text'] }
    case 'thinking':
      return { type: 'reasoning', text: block['thinking'], ...anthropic('signature', block['signature']) }
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', ...anthropic('redactedData', block['data']) }
    case 'tool_use':
      return { type: 'tool-call', toolCallId: block['id'], toolName: block['name'], input: block['input'] }
    case 'image':
      return fromImage(recordAt(block, 'source')) ?? block
    case 'document':
      return fromDocument(block, recordAt(block, 'source')) ?? block
    default:
      return block
  }
}

function anthropic(key: string, value: unknown): Fields {
  const text = readString(value)
  return text === undefined ? {} : { providerOptions: { anthropic: { [key]: text } } }
}

function fromImage(source: Fields): unknown {
  const image = source['data'] ?? source['url']
  return typeof image === 'string' ? { type: 'image', image, ...optional('mediaType', source['media_type']) } : null
}

function fromDocument(block: Fields, source: Fields): unknown {
  const data = source['data'] ?? source['url']
  if (typeof data !== 'string') return null
  if (source['type'] === 'text') return { type: 'text', text: data }
  const filename = optional('filename', readString(block['title']))
  return { type: 'file', data, mediaType: source['media_type'] ?? 'application/pdf', ...filename }
}

function fromResult(block: Fields, toolNames: ReadonlyMap<string, string>): unknown {
  const { content } = block
  const toolCallId = textOf(block['tool_use_id'])
  return {
    type: 'tool-result',
    toolCallId,
    toolName: toolNames.get(toolCallId),
    output: Array.isArray(content) ? outputOf(readParts(content.map(fromBlock), 'user')) : textOf(content),
    ...(block['is_error'] === true ? { isError: true } : {}),
  }
}
