import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { Part } from '@longhaul/engine/advanced'
import type { MessageFields } from './entry-list.ts'
import type { ImportedSession } from './imported-session.ts'
import type { Fields } from './parse-lines.ts'
import { readChat } from './read-chat.ts'
import type { Chat } from './read-chat.ts'
import { optional, outputOf, readModelId, readString, recordAt } from './read-values.ts'

/** OpenAI chat messages, the older `function_call` included. */
export function readOpenAiChat(chat: Chat): ImportedSession {
  const model = readString(chat.header['model'])
  const calls = createCallIds()
  return readChat(chat, {
    format: 'openai-chat',
    model: model?.includes('/') === true ? model : readModelId('openai', model),
    readSystem: ({ role, content }) =>
      role === 'system' || role === 'developer' ? textOfParts(readContent(content)) : null,
    readMessage(message, toolNames) {
      switch (message['role']) {
        case 'user':
          return [{ role: 'user', parts: readContent(message['content']) }]
        case 'assistant':
          return [readAssistant(message, calls)]
        case 'tool':
          return [readResult(message, readString(message['tool_call_id']) ?? '', toolNames)]
        case 'function':
          return [readResult(message, calls.answer(message['name']), toolNames)]
        default:
          return 'a message without a known role'
      }
    },
  })
}

interface CallIds {
  /** An id for a call that has none of its own. */
  ask(name: unknown): string
  /** The id of the latest such call of a function. */
  answer(name: unknown): string
}

function createCallIds(): CallIds {
  const latest = new Map<unknown, string>()
  let count = 0
  return {
    ask(name) {
      count += 1
      const id = `call-${count}`
      latest.set(name, id)
      return id
    },
    answer: (name) => latest.get(name) ?? '',
  }
}

function readAssistant(message: Fields, calls: CallIds): MessageFields {
  const reasoning = readString(message['reasoning_content']) ?? readString(message['reasoning'])
  const refusal = readString(message['refusal'])
  const toolCalls: unknown = message['tool_calls']
  const asked: unknown[] = Array.isArray(toolCalls) ? toolCalls.map((call) => readCall(call, calls)) : []
  if (isRecord(message['function_call'])) asked.push(readCall({ function: message['function_call'] }, calls))
  return {
    role: 'assistant',
    parts: readParts(
      [
        ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }]),
        ...readContent(message['content']),
        ...(refusal === undefined ? [] : [refusal]),
        ...asked,
      ],
      'assistant',
    ),
  }
}

function readCall(call: unknown, calls: CallIds): unknown {
  const called = isRecord(call) && isRecord(call['custom']) ? call['custom'] : recordAt(call, 'function')
  const id = isRecord(call) ? readString(call['id']) : undefined
  return {
    type: 'tool-call',
    toolCallId: id ?? calls.ask(called['name']),
    toolName: called['name'],
    input: called['arguments'] ?? called['input'],
  }
}

function readResult(message: Fields, toolCallId: string, toolNames: ReadonlyMap<string, string>): MessageFields {
  const toolName = toolNames.get(toolCallId) ?? message['name']
  const output = outputOf(readContent(message['content']))
  return { role: 'tool', parts: readParts([{ type: 'tool-result', toolCallId, toolName, output }], 'tool') }
}

function readContent(content: unknown): readonly Part[] {
  return readParts(Array.isArray(content) ? content.map(fromPart) : content, 'user')
}

function fromPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part['text'] }
    case 'refusal':
      return { type: 'text', text: part['refusal'] }
    case 'image_url':
      return { type: 'image', image: recordAt(part, 'image_url')['url'] ?? part['image_url'] }
    case 'input_audio': {
      const audio = recordAt(part, 'input_audio')
      return { type: 'file', data: audio['data'], mediaType: `audio/${textOf(audio['format'])}` }
    }
    case 'file': {
      const file = recordAt(part, 'file')
      if (typeof file['file_data'] !== 'string') return part
      return { type: 'file', data: file['file_data'], ...optional('filename', readString(file['filename'])) }
    }
    default:
      return part
  }
}

function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
