import { isRecord } from '@longhaul/engine/advanced'
import type { Fields, Line } from './parse-lines.ts'

/** Both chat formats are told apart one conversation at a time, by their messages: see `recogniseChat`. */
export type LineFormat = 'longhaul' | 'pi' | 'claude-code' | 'chat'

/** By content, never by file name: the first line that only one format can have written decides. */
export function recogniseFormat(lines: readonly Line[]): LineFormat | null {
  for (const { value } of lines) {
    const format = formatOf(value)
    if (format !== null) return format
  }
  return null
}

function formatOf(value: Fields): LineFormat | null {
  if (isLonghaulHeader(value)) return 'longhaul'
  if (isPiHeader(value)) return 'pi'
  if (Array.isArray(value['messages'])) return 'chat'
  if (value['type'] === 'message') return isRecord(value['message']) ? 'pi' : 'longhaul'
  if (isClaudeCodeLine(value)) return 'claude-code'
  return typeof value['role'] === 'string' ? 'chat' : null
}

export function isLonghaulHeader(value: Fields): boolean {
  return value['type'] === 'session' && value['createdAt'] !== undefined
}

/** Version 4 writes `kind: "header"`; the earlier ones a type and an ISO timestamp. */
export function isPiHeader(value: Fields): boolean {
  return value['kind'] === 'header' || (value['type'] === 'session' && value['createdAt'] === undefined)
}

function isClaudeCodeLine(value: Fields): boolean {
  const { type } = value
  if (typeof type !== 'string') return false
  if (type === 'user' || type === 'assistant') return isRecord(value['message'])
  return (
    type === 'file-history-snapshot' || ['sessionId', 'uuid', 'leafUuid'].some((key) => typeof value[key] === 'string')
  )
}

/** Signs of one chat format in a list of messages; null where both write the same. */
export function recogniseChat(messages: readonly unknown[]): 'openai-chat' | 'ai-sdk' | null {
  for (const message of messages) {
    if (!isRecord(message)) continue
    if (isOpenAiMessage(message)) return 'openai-chat'
    if (isAiSdkMessage(message)) return 'ai-sdk'
  }
  return null
}

const OPENAI_PARTS = new Set(['image_url', 'input_audio', 'refusal', 'input_text', 'output_text'])
const AI_SDK_PARTS = new Set(['tool-call', 'tool-result', 'reasoning', 'image'])

function isOpenAiMessage(message: Fields): boolean {
  const { role } = message
  if (role === 'developer' || role === 'function') return true
  if (message['tool_calls'] !== undefined || message['tool_call_id'] !== undefined) return true
  if (message['function_call'] !== undefined) return true
  return partTypes(message).some((type) => OPENAI_PARTS.has(type))
}

/** Text parts alone are legal in both, but only the AI SDK writes an assistant's plain text as parts. */
function isAiSdkMessage(message: Fields): boolean {
  if (message['providerOptions'] !== undefined) return true
  const types = partTypes(message)
  return types.some((type) => AI_SDK_PARTS.has(type)) || (message['role'] === 'assistant' && types.length > 0)
}

function partTypes(message: Fields): readonly string[] {
  const { content } = message
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => (isRecord(part) && typeof part['type'] === 'string' ? [part['type']] : []))
}
