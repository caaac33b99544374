import { isRecord } from '@longhaul/engine/advanced'
import type { Fields, Line } from '@longhaul/store/jsonl'
import { hasOnlyResults, readGeminiText } from './read-gemini-message.ts'

export interface ChatMessage {
  readonly type: 'message'
  readonly line: number
  value: Fields
}

/** Gemini CLI's word for a compaction. */
export interface ChatCompression {
  readonly type: 'compression'
  readonly line: number
  /** The message that holds the summary. */
  readonly value: Fields
  readonly kept: readonly ChatMessage[]
}

export interface ChatLog {
  read(line: Line): void
  finish(): {
    readonly said: readonly (ChatMessage | ChatCompression)[]
    readonly meta: Fields
    /** Lines of messages that the user took back. */
    readonly takenBack: readonly number[]
  }
}

/**
 * A message is written again whenever it grows; a rewind cuts the list; and after a compression the whole new list is
 * written in one line: the summary first, an answer that Gemini CLI makes up, then what was kept.
 */
export function createChatLog(): ChatLog {
  let said: (ChatMessage | ChatCompression)[] = []
  const byId = new Map<string, ChatMessage>()
  const takenBack: number[] = []
  let meta: Fields = {}

  function write(value: Fields, line: number): void {
    const id = String(value['id'])
    const known = byId.get(id)
    if (known !== undefined) {
      known.value = value
      return
    }
    const message: ChatMessage = { type: 'message', line, value }
    byId.set(id, message)
    said.push(message)
  }

  function rewind(id: string): void {
    const start = said.findIndex((each) => each.type === 'message' && each.value['id'] === id)
    const gone = said.splice(start === -1 ? 0 : start)
    for (const { line, value } of gone) {
      byId.delete(String(value['id']))
      takenBack.push(line)
    }
  }

  /** Known messages stay as they were first said: results may have been masked meanwhile. */
  function replace(messages: readonly Fields[], line: number): void {
    const [first, second] = messages
    const isKnown = (message: Fields | undefined): boolean => message === undefined || byId.has(String(message['id']))
    const isCompressed = said.length > 0 && first !== undefined && !isKnown(first) && isSummary(first)
    const kept = messages.flatMap((message) => byId.get(String(message['id'])) ?? [])
    const added = messages.filter((message) => !isKnown(message) && !hasOnlyResults(message['content']))
    if (isCompressed) said.push({ type: 'compression', line, value: first, kept })
    for (const message of added) {
      const isMadeUp = isCompressed && (message === first || message === second)
      if (!isMadeUp) write(message, line)
    }
  }

  return {
    read({ line, value }) {
      const fields: Fields = value
      const { $set: set, $rewindTo: target, messages } = value
      if (typeof target === 'string') rewind(target)
      else if (isRecord(set)) {
        if (Array.isArray(set['messages'])) replace(set['messages'].filter(isMessage), line)
        meta = { ...meta, ...set, messages: undefined }
      } else if (isMessage(value)) write(value, line)
      else {
        meta = { ...meta, ...fields, messages: undefined }
        if (Array.isArray(messages)) for (const message of messages.filter(isMessage)) write(message, line)
      }
    },
    finish() {
      said = said.filter((each) => each.type === 'compression' || each.value['type'] !== 'info')
      return { said, meta, takenBack }
    },
  }
}

function isMessage(value: unknown): value is Fields {
  return isRecord(value) && typeof value['id'] === 'string'
}

function isSummary(message: Fields): boolean {
  return message['type'] === 'user' && readGeminiText(message['content']).includes('<state_snapshot>')
}
