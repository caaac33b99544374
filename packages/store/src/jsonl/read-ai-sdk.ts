import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { MessageFields } from './entry-list.ts'
import type { ImportedSession } from './imported-session.ts'
import type { Fields } from './parse-lines.ts'
import { readChat } from './read-chat.ts'
import type { Chat } from './read-chat.ts'
import { optional, outputOf, readModelId, readString } from './read-values.ts'

/** Messages as the AI SDK keeps them (`ModelMessage`), and as its version 4 named their fields. */
export function readAiSdk(chat: Chat): ImportedSession {
  return readChat(chat, {
    format: 'ai-sdk',
    model: readModelId(undefined, chat.header['model']),
    readSystem: ({ role, content }) => (role === 'system' ? textOf(content) : null),
    readMessage(message, toolNames) {
      const { role, content } = message
      if (role === 'user') return [{ role, parts: readParts(partsOf(content), role) }]
      if (role === 'assistant') return readAssistant(partsOf(content), toolNames)
      if (role === 'tool') return [{ role, parts: readResults(partsOf(content), toolNames) }]
      return 'a message without a known role'
    },
  })
}

/** Results of tools that the provider ran stand inside the assistant's message; here results have a message of their own. */
function readAssistant(content: readonly unknown[], toolNames: ReadonlyMap<string, string>): readonly MessageFields[] {
  const results = content.filter(isResult)
  const parts = readParts(
    content.filter((part) => !isResult(part)),
    'assistant',
  )
  const message: MessageFields = { role: 'assistant', parts }
  return results.length === 0 ? [message] : [message, { role: 'tool', parts: readResults(results, toolNames) }]
}

function readResults(content: readonly unknown[], toolNames: ReadonlyMap<string, string>): MessageFields['parts'] {
  return readParts(
    content.map((part) => (isResult(part) ? fromResult(part, toolNames) : part)),
    'tool',
  )
}

/** A question for approval and its answer say nothing to a model. */
function partsOf(content: unknown): readonly unknown[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts.filter((part) => !isRecord(part) || !textOf(part['type']).startsWith('tool-approval-')).map(fromPart)
}

function isResult(part: unknown): part is Fields {
  return isRecord(part) && part['type'] === 'tool-result'
}

function fromPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  switch (part['type']) {
    case 'tool-call':
      return part['input'] === undefined ? { ...part, input: part['args'] } : part
    case 'file':
      return { ...part, data: dataOf(part['data']) }
    case 'image':
      return { ...part, image: dataOf(part['image']) }
    default:
      return part
  }
}

/** Newer versions tag the data with where it lies. */
function dataOf(data: unknown): unknown {
  return isRecord(data) ? (data['data'] ?? data['url'] ?? data['text'] ?? data) : data
}

function fromResult(part: Fields, toolNames: ReadonlyMap<string, string>): unknown {
  const { output, result, ...rest } = part
  const toolName = readString(part['toolName']) ?? toolNames.get(textOf(part['toolCallId']))
  return {
    ...rest,
    ...optional('toolName', toolName),
    ...(output === undefined ? { output: textOf(result) } : fromOutput(output)),
  }
}

function fromOutput(output: unknown): Fields {
  if (!isRecord(output)) return { output }
  const { type, value } = output
  switch (type) {
    case 'text':
    case 'json':
      return { output: textOf(value) }
    case 'error-text':
    case 'error-json':
      return { output: textOf(value), isError: true }
    case 'execution-denied':
      return { output: readString(output['reason']) ?? 'The call was not allowed.', isError: true }
    case 'content':
      return { output: outputOf(readParts(Array.isArray(value) ? value.map(fromOutputPart) : value, 'user')) }
    default:
      return { output: textOf(output) }
  }
}

function fromOutputPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { type, mediaType } = part
  const data = dataOf(part['data'] ?? part['url'])
  const isImage = textOf(type).startsWith('image') || textOf(mediaType).startsWith('image/')
  if (type === 'text' || typeof data !== 'string') return part
  const where = isImage ? { type: 'image', image: data } : { type: 'file', data }
  return {
    ...where,
    ...optional('mediaType', readString(mediaType)),
    ...optional('filename', readString(part['filename'])),
  }
}
