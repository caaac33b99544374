import { isRecord } from '@longhaul/engine/advanced'
import type { Fields, Line } from '@longhaul/store/jsonl'
import { isOfTheProgram, readCallIds, readGeminiText } from './read-gemini-message.ts'

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
  readonly kept: ReadonlySet<ChatMessage>
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
 * A message is written again whenever it grows; a rewind cuts the list; and after a compression, a resumption or a masking
 * the whole list is written in one line. After a compression it holds the summary, an answer that Gemini CLI makes up, and
 * what was kept, under new ids.
 */
export function createChatLog(): ChatLog {
  const said: (ChatMessage | ChatCompression)[] = []
  const byId = new Map<string, ChatMessage>()
  /** By who said what, for messages that come again under another id. */
  const byWords = new Map<string, ChatMessage>()
  const takenBack: number[] = []
  let meta: Fields = {}

  function write(value: Fields, line: number): void {
    const known = byId.get(String(value['id']))
    const message = known ?? { type: 'message', line, value }
    message.value = value
    if (known === undefined) said.push(message)
    byId.set(String(value['id']), message)
    for (const words of wordsOf(value)) byWords.set(words, message)
  }

  function rewind(id: string): void {
    const target = byId.get(id)
    const start = said.findIndex((each) => each === target)
    for (const { line, value } of said.splice(start === -1 ? 0 : start)) {
      byId.delete(String(value['id']))
      takenBack.push(line)
    }
  }

  function find(message: Fields): ChatMessage | undefined {
    const known = byId.get(String(message['id']))
    if (known !== undefined) return known
    const [words] = wordsOf(message).filter((each) => byWords.has(each))
    return words === undefined ? undefined : byWords.get(words)
  }

  /** Known messages stay as they were first said: their results may have been masked meanwhile. */
  function replace(messages: readonly Fields[], line: number): void {
    const summary = messages.findIndex((message) => isSummary(message) && !byId.has(String(message['id'])))
    const isCompressed = summary !== -1 && said.length > 0
    // The made-up answer follows the summary.
    const rest = isCompressed ? messages.slice(summary + 2) : messages
    const found = new Map(rest.map((message) => [message, find(message)]))
    if (isCompressed) {
      const [value = {}, answer] = messages.slice(summary)
      const kept = new Set([...found.values()].filter((message) => message !== undefined))
      said.push({ type: 'compression', line, value, kept })
      // They are known from here on, and are no messages of anybody's.
      for (const each of [value, answer]) byId.set(String(each?.['id']), { type: 'message', line, value: each ?? {} })
    }
    for (const [message, known] of found) {
      if (known !== undefined) byId.set(String(message['id']), known)
      else if (!isOfTheProgram(message)) write(message, line)
    }
  }

  return {
    read({ line, value }) {
      const { $set: set, $rewindTo: target } = value
      if (typeof target === 'string') rewind(target)
      else if (isMessage(value)) write(value, line)
      else {
        const changes: Fields = isRecord(set) ? set : value
        const { messages, ...fields } = changes
        if (Array.isArray(messages)) replace(messages.filter(isMessage), line)
        // A resumption writes the first line again.
        meta = { ...meta, ...fields, startTime: meta['startTime'] ?? fields['startTime'] }
      }
    },
    finish: () => ({ said, meta, takenBack }),
  }
}

function isMessage(value: unknown): value is Fields {
  return isRecord(value) && typeof value['id'] === 'string'
}

function isSummary(message: Fields): boolean {
  return message['type'] === 'user' && readGeminiText(message['content']).includes('<state_snapshot>')
}

function wordsOf({ type, content, toolCalls }: Fields): readonly string[] {
  const text = readGeminiText(content).trim()
  const calls = readCallIds(content, toolCalls).map((id) => `call ${id}`)
  return text === '' ? calls : [...calls, `${String(type)} ${text}`]
}
