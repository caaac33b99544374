import { isRecord } from '@longhaul/engine/advanced'
import type { Fields, Line } from '@longhaul/store/jsonl'
import { readCallIds, readGeminiText, withoutSurroundings } from './read-gemini-message.ts'

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
  const said = new Set<ChatMessage | ChatCompression>()
  let lastCompression: ChatCompression | undefined
  const byId = new Map<string, ChatMessage>()
  /** By who said what, for messages that come again under another id; the latest last. */
  const byWords = new Map<string, ChatMessage[]>()
  const takenBack: number[] = []
  let meta: Fields = {}

  function write(value: Fields, line: number): void {
    const known = byId.get(String(value['id']))
    const message = known ?? { type: 'message', line, value }
    message.value = value
    if (known === undefined) said.add(message)
    byId.set(String(value['id']), message)
    for (const words of wordsOf(value)) {
      const same = byWords.get(words)
      if (same === undefined) byWords.set(words, [message])
      else if (!same.includes(message)) same.push(message)
    }
  }

  function rewind(id: string): void {
    const target = byId.get(id)
    let isGone = target === undefined || !said.has(target)
    for (const each of said) {
      isGone ||= each === target
      if (!isGone) continue
      said.delete(each)
      byId.delete(String(each.value['id']))
      takenBack.push(each.line)
    }
  }

  function findByWords(value: Fields): readonly ChatMessage[] {
    return wordsOf(value).flatMap((words) => byWords.get(words) ?? [])
  }

  /**
   * The messages that a list means. After a call of a tool the whole list may be written down once more, message by
   * message, before it comes as a list: the copies go, and their ids mean the originals.
   */
  function resolve(list: readonly Fields[]): ReadonlyMap<Fields, ChatMessage | undefined> {
    const listed = new Set(list.map(({ id }) => byId.get(String(id))))
    const isInForce = (message: ChatMessage): boolean =>
      lastCompression === undefined || message.line > lastCompression.line || lastCompression.kept.has(message)
    return new Map(
      list.map((value) => {
        const known = byId.get(String(value['id']))
        const others = findByWords(value).filter((message) => message !== known && said.has(message))
        if (known === undefined) return [value, others.at(-1)]
        const original = others.find((message) => !listed.has(message) && isInForce(message))
        if (original === undefined || original.line > known.line || !said.delete(known)) return [value, known]
        return [value, original]
      }),
    )
  }

  /** Known messages stay as they were first said: their results may have been masked meanwhile. */
  function replace(messages: readonly Fields[], line: number): void {
    const summary = messages.findIndex((message) => isSummary(message) && !byId.has(String(message['id'])))
    const isCompressed = summary !== -1 && said.size > 0
    // The made-up answer follows the summary.
    const rest = isCompressed ? messages.slice(summary + 2) : messages
    const found = resolve(rest)
    if (isCompressed) {
      const [value = {}, answer] = messages.slice(summary)
      const kept = new Set([...found.values()].filter((message) => message !== undefined))
      lastCompression = { type: 'compression', line, value, kept }
      said.add(lastCompression)
      // The summary and the made-up answer get known ids here, but they do not count as messages of the chat.
      for (const each of [value, answer]) byId.set(String(each?.['id']), { type: 'message', line, value: each ?? {} })
    }
    for (const [message, known] of found) {
      if (known !== undefined) byId.set(String(message['id']), known)
      else write(message, line)
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
    finish: () => ({ said: [...said], meta, takenBack }),
  }
}

function isMessage(value: unknown): value is Fields {
  return isRecord(value) && typeof value['id'] === 'string'
}

function isSummary(message: Fields): boolean {
  return message['type'] === 'user' && readGeminiText(message['content']).includes('<state_snapshot>')
}

function wordsOf({ type, content, toolCalls }: Fields): readonly string[] {
  const text = readGeminiText(withoutSurroundings(content)).trim()
  const calls = readCallIds(content, toolCalls).map((id) => `call ${id}`)
  return text === '' ? calls : [...calls, `${String(type)} ${text}`]
}
