import type { MessageEntry } from '../transcript/entry.ts'
import { createItem } from '../transcript/item.ts'
import type { Item } from '../transcript/item.ts'
import type { JsonObject } from '../transcript/json.ts'
import type {
  ContentPart,
  FilePart,
  ImagePart,
  Message,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../transcript/message.ts'

/**
 * Conversations in a few words, for tests:
 *
 *   entries(user('hi'), assistant('I look', call('a')), tool(result('a', 'found')), assistant('done'))
 *
 * A string among the parts is a text part. Entries are numbered from 1: seq 1, id `m1`, at 1,000.
 */
export function user(...parts: readonly (string | ContentPart)[]): Message {
  return { role: 'user', parts: parts.map(toPart) }
}

export function assistant(...parts: readonly (string | ContentPart | ReasoningPart | ToolCallPart)[]): Message {
  return { role: 'assistant', parts: parts.map(toPart) }
}

export function tool(...results: readonly ToolResultPart[]): Message {
  return { role: 'tool', parts: results }
}

export function text(words: string): TextPart {
  return { type: 'text', text: words }
}

export function reasoning(words: string): ReasoningPart {
  return { type: 'reasoning', text: words }
}

export function call(toolCallId: string, toolName = 'read', input: JsonObject = {}): ToolCallPart {
  return { type: 'tool-call', toolCallId, toolName, input }
}

export function result(
  toolCallId: string,
  output: ToolOutput = 'done',
  more: Partial<Omit<ToolResultPart, 'type' | 'toolCallId' | 'output'>> = {},
): ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName: 'read', output, ...more }
}

export function image(size: { width?: number; height?: number } = {}): ImagePart {
  return { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png', ...size }
}

export function file(filename = 'report.pdf', data = 'aGVsbG8=', mediaType = 'application/pdf'): FilePart {
  return { type: 'file', data, mediaType, filename }
}

/** The fields an entry has beside its message: its place, and what an answer was billed. */
export type EntryFields = Partial<Omit<MessageEntry, 'type' | 'role' | 'parts'>>

export function entry(seq: number, message: Message, fields: EntryFields = {}): MessageEntry {
  return { type: 'message', seq, id: `m${seq}`, at: seq * 1_000, ...message, ...fields }
}

function entries(...messages: readonly Message[]): readonly MessageEntry[] {
  return messages.map((message, index) => entry(index + 1, message))
}

export function items(...messages: readonly Message[]): readonly Item[] {
  return entries(...messages).map(createItem)
}

function toPart<T extends Part>(part: string | T): TextPart | T {
  return typeof part === 'string' ? text(part) : part
}
