import { isRecord } from '@longhaul/engine/advanced'
import type { Entry, MessageEntry, Part, Usage } from '@longhaul/engine/advanced'
import { createEntryList } from '../entry-list.ts'
import type { Origin } from '../entry-list.ts'
import type { Fields, Line } from '../parse-lines.ts'
import { optional, readBilledTokens, readModelId, readString, readTime, toolNames } from '../read-values.ts'
import { readCompaction } from './read-compaction.ts'
import { isMessageLine, readBlocks } from './read-blocks.ts'

export interface Conversation {
  read(line: Line): void
  /** Words the model got in the middle of a turn: they stand where they can, after the results it was waiting for. */
  queuePrompt(line: Line, prompt: unknown): void
  finish(): {
    readonly entries: readonly Entry[]
    readonly model: string | undefined
    readonly unfinished: readonly number[]
  }
}

export function createConversation(): Conversation {
  const list = createEntryList()
  const names = new Map<string, string>()
  const byUuid = new Map<string, number>()
  const open = new Map<string, MessageEntry>()
  let boundary: Line | undefined
  let queued: { origin: Origin; parts: readonly Part[] }[] = []
  let model: string | undefined

  function flushQueue(): void {
    for (const { origin, parts } of queued) list.addMessage(origin, { role: 'user', parts })
    queued = []
  }

  function remember(value: Fields, entry: Entry): void {
    if (typeof value['uuid'] === 'string') byUuid.set(value['uuid'], entry.seq)
  }

  /** One answer takes several lines, a block each, with results in between; they share a message id and a bill. */
  function readAssistant(value: Fields, message: Fields): void {
    const { parts } = readBlocks(message['content'], 'assistant', names)
    toolNames(parts, names)
    const id = readString(message['id'])
    const begun = id === undefined ? undefined : open.get(id)
    if (begun === undefined) flushQueue()
    const entry = begun ?? list.addMessage(originOf(value), { role: 'assistant', parts: [] })
    const said = readModelId('anthropic', message['model'])
    if (said !== undefined && message['model'] !== '<synthetic>') model = said
    const joined = list.replaceMessage(entry, {
      parts: [...entry.parts, ...parts.filter((part) => !isRepeated(part, entry.parts))],
      ...optional('model', message['model'] === '<synthetic>' ? undefined : said),
      ...optional('usage', largerOf(entry.usage, readUsage(value, message))),
      ...optional(
        'finish',
        value['isApiErrorMessage'] === true ? 'error' : FINISH[readString(message['stop_reason']) ?? ''],
      ),
    })
    if (id !== undefined) open.set(id, joined)
    remember(value, joined)
  }

  function readUser(value: Fields, message: Fields): void {
    const { parts, results } = readBlocks(message['content'], 'user', names)
    if (results.length > 0) remember(value, list.addMessage(originOf(value), { role: 'tool', parts: results }))
    if (parts.length === 0) return
    flushQueue()
    markAborted(parts)
    remember(value, list.addMessage(originOf(value, results.length > 0 ? '-text' : ''), { role: 'user', parts }))
  }

  /** The note that follows an answer cut off while it was written. After a finished step the note says more than this. */
  function markAborted(parts: readonly Part[]): void {
    const [note] = parts
    const last = list.entries.at(-1)
    if (note?.type !== 'text' || note.text !== '[Request interrupted by user]') return
    if (last?.type === 'message' && last.role === 'assistant') list.replaceMessage(last, { finish: 'aborted' })
  }

  return {
    read(line) {
      const { type, subtype, message, isCompactSummary } = line.value
      if (type === 'system' && subtype === 'compact_boundary') boundary = line
      if (!isMessageLine(line.value) || !isRecord(message)) return
      if (type === 'assistant') readAssistant(line.value, message)
      else if (isCompactSummary === true) {
        flushQueue()
        const head = boundary?.value ?? line.value
        list.addCompaction(originOf(head), readCompaction({ head, message, entries: list.entries, byUuid }))
        boundary = undefined
      } else readUser(line.value, message)
    },
    queuePrompt(line, prompt) {
      const { parts } = readBlocks(prompt, 'user', names)
      const origin = { ...originOf(line.value), id: readString(line.value['uuid']) ?? `queued-${line.line}` }
      if (parts.length > 0) queued.push({ origin, parts })
    },
    finish() {
      flushQueue()
      return { entries: list.finish(), model, unfinished: boundary === undefined ? [] : [boundary.line] }
    },
  }
}

const FINISH: Readonly<Record<string, NonNullable<MessageEntry['finish']>>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
}

function originOf(value: Fields, suffix = ''): Origin {
  const uuid = readString(value['uuid'])
  return { id: uuid === undefined ? undefined : uuid + suffix, at: readTime(value['timestamp']) }
}

function isRepeated(part: Part, parts: readonly Part[]): boolean {
  if (part.type !== 'tool-call') return false
  return parts.some((other) => other.type === 'tool-call' && other.toolCallId === part.toolCallId)
}

function readUsage(line: Fields, message: Fields): Usage | undefined {
  const usage = isRecord(message['usage']) ? message['usage'] : {}
  return readBilledTokens({
    uncached: usage['input_tokens'],
    output: usage['output_tokens'],
    cacheRead: usage['cache_read_input_tokens'],
    cacheWrite: usage['cache_creation_input_tokens'],
    costUsd: line['costUSD'],
  })
}

/** The output grows from line to line while the answer streams; the largest count is the bill. */
function largerOf(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (first === undefined || second === undefined) return second ?? first
  return second.output >= first.output ? second : first
}
