import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { Part, Usage } from '@longhaul/engine/advanced'
import { outputOf, readBilledTokens, readCount } from '@longhaul/store/jsonl'
import type { Fields, MessageFields } from '@longhaul/store/jsonl'

/** One of Gemini CLI's messages as ours: an answer, and the results of its tools. Its own notes are none. */
export function readGeminiMessage(value: Fields): readonly MessageFields[] {
  const { type, content } = value
  if (type === 'user') {
    const parts = readParts(withoutSurroundings(content).map(fromPart), 'user')
    return parts.length === 0 ? [] : [{ role: 'user', parts }]
  }
  if (type !== 'gemini') return []
  const calls = listOf(value['toolCalls']).filter(isRecord)
  const parts = readParts(
    [...readThoughts(value['thoughts']), ...listOf(content).map(fromPart), ...calls.map(toCall)],
    'assistant',
  )
  const results = readParts(calls.flatMap(toResult), 'tool')
  return [
    ...(parts.length === 0 ? [] : [{ role: 'assistant' as const, parts }]),
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, parts: results }]),
  ]
}

export function readGeminiText(content: unknown): string {
  return listOf(content)
    .map((part) => (isRecord(part) ? textOf(part['text'] ?? '') : textOf(part)))
    .join('\n')
}

/** Thoughts are billed as output. */
export function readGeminiUsage(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens)) return undefined
  const cached = readCount(tokens['cached']) ?? 0
  return readBilledTokens({
    uncached: Math.max(0, (readCount(tokens['input']) ?? 0) - cached),
    output: (readCount(tokens['output']) ?? 0) + (readCount(tokens['thoughts']) ?? 0),
    cacheRead: cached,
    cacheWrite: undefined,
    costUsd: undefined,
  })
}

/** Without what Gemini CLI says in the user's name: where it runs. It says it anew after each compression. */
export function withoutSurroundings(content: unknown): readonly unknown[] {
  return listOf(content).filter(
    (part) => !isRecord(part) || !textOf(part['text'] ?? '').startsWith('<session_context>'),
  )
}

/** The ids of the calls that a message makes, or hands the results of. */
export function readCallIds(content: unknown, toolCalls: unknown): readonly string[] {
  const parts = Array.isArray(content) ? content.filter(isRecord) : []
  const called = parts.map(({ functionCall }) => functionCall)
  const listed = Array.isArray(toolCalls) ? toolCalls : []
  return [...called, ...listed].flatMap((call) =>
    isRecord(call) && typeof call['id'] === 'string' ? [call['id']] : [],
  )
}

function listOf(content: unknown): readonly unknown[] {
  if (content === null || content === undefined || content === '') return []
  return Array.isArray(content) ? content : [content]
}

function fromPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] }
  const { inlineData } = part
  if (isRecord(inlineData)) return { type: 'image', image: inlineData['data'], mediaType: inlineData['mimeType'] }
  return null
}

function readThoughts(thoughts: unknown): readonly Part[] {
  const told = listOf(thoughts)
    .filter(isRecord)
    .map(({ subject, description }) => [subject, description].map(textOf).join(': '))
  return told.length === 0 ? [] : [{ type: 'reasoning', text: told.join('\n') }]
}

function toCall({ id, name, args }: Fields): unknown {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: args }
}

function toResult({ id, name, result, status }: Fields): readonly unknown[] {
  if (result === null || result === undefined) return []
  const texts = listOf(result).map((part) => {
    const response = isRecord(part) && isRecord(part['functionResponse']) ? part['functionResponse']['response'] : null
    if (!isRecord(response)) return fromPart(part)
    return { type: 'text', text: textOf(response['output'] ?? response['error'] ?? response) }
  })
  const output = outputOf(readParts(texts, 'user'))
  const failed = status === 'error' || status === 'cancelled'
  return [{ type: 'tool-result', toolCallId: id, toolName: name, output, ...(failed ? { isError: true } : {}) }]
}
