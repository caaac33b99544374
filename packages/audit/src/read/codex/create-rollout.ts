import { isRecord, textOf } from '@longhaul/engine/advanced'
import { readCount, readModelId, readString, readTime, recordAt } from '@longhaul/store/jsonl'
import type { Fields, Line } from '@longhaul/store/jsonl'
import { readCodexItem } from './read-codex-item.ts'
import type { CodexItem } from './read-codex-item.ts'
import { textOfSaid } from './said.ts'
import type { Said, SaidMessage } from './said.ts'
import { createTokenMeter } from './token-meter.ts'
import type { MeterReading } from './token-meter.ts'

/** A rollout of Codex, read line by line. */
export interface Rollout {
  readonly said: readonly Said[]
  /** Lines of messages that the user took back. */
  readonly takenBack: readonly number[]
  /** Lines of compactions whose summary only OpenAI can read. */
  readonly sealed: readonly number[]
  /** The first one: a fork repeats that of its origin. */
  readonly meta: () => Fields
  readonly model: () => string | undefined
  readonly windowTokens: () => number | undefined
  read(line: Line): void
}

export function createRollout(): Rollout {
  const said: Said[] = []
  const takenBack: number[] = []
  const sealed: number[] = []
  const names = new Map<string, string>()
  const meter = createTokenMeter()
  let meta: Fields | undefined
  let model: string | undefined
  let windowTokens: number | undefined

  function addItem(item: CodexItem, line: number, at: number): void {
    const last = said.at(-1)
    // One answer takes several lines, an item each, and then its bill.
    if (item.by === 'assistant' && last?.type === 'message' && last.by === 'assistant' && last.usage === undefined) {
      last.parts.push(...item.parts)
      if (item.id !== undefined) last.itemIds.add(item.id)
      return
    }
    if (item.parts.length === 0) return
    const itemIds = new Set(item.id === undefined ? [] : [item.id])
    said.push({ type: 'message', line, at, ...item, parts: [...item.parts], itemIds, model })
  }

  function lastAnswer(): SaidMessage | undefined {
    const last = said.findLast((each) => each.type === 'compaction' || each.by !== 'tool')
    return last?.type === 'message' && last.by === 'assistant' ? last : undefined
  }

  function takeReading({ usage, estimate }: MeterReading): void {
    const last = said.at(-1)
    if (estimate !== undefined && last?.type === 'compaction') last.tokensAfter ??= estimate
    if (usage === undefined) return
    const answer = lastAnswer()
    if (answer !== undefined && answer.usage === undefined) answer.usage = usage
  }

  function readEvent(payload: Fields): void {
    windowTokens = readCount(payload['model_context_window']) ?? windowTokens
    if (payload['type'] === 'token_count') {
      const info = recordAt(payload, 'info')
      windowTokens = readCount(info['model_context_window']) ?? windowTokens
      takeReading(meter.readCounter(info))
    } else if (payload['type'] === 'thread_rolled_back') {
      for (const { line: gone } of said.splice(startOfTurns(said, readCount(payload['num_turns']) ?? 0))) {
        takenBack.push(gone)
      }
    } else if (payload['type'] === 'item_completed') nameCommand(said.at(-1), recordAt(payload, 'item'))
  }

  function readCompacted(payload: Fields, line: number, at: number): void {
    const summary = textOf(payload['message'])
    if (summary.trim() === '') {
      sealed.push(line)
      return
    }
    const usage = takeSummary(said, summary)?.usage
    said.push({
      type: 'compaction',
      line,
      at,
      id: readString(payload['window_id']),
      summary,
      ...findKept(readHistory(payload), said, summary),
      usage,
      tokensBefore: usage === undefined ? meter.context() : (meter.contextBefore() ?? usage.input),
      tokensAfter: undefined,
    })
  }

  return {
    said,
    takenBack,
    sealed,
    meta: () => meta ?? {},
    model: () => model,
    windowTokens: () => windowTokens,
    read({ line, value }) {
      const { type, payload } = unwrap(value)
      const at = readTime(value['timestamp'])
      switch (type) {
        case 'session_meta':
          meta ??= payload
          return
        case 'turn_context':
          model = modelOf(payload['model'], meta?.['model_provider']) ?? model
          return
        case 'token_usage_record':
          return takeReading(meter.readRecord(payload))
        case 'event_msg':
          return readEvent(payload)
        case 'compacted':
          return readCompacted(payload, line, at)
        default: {
          const item = type === 'response_item' ? readCodexItem(payload, names) : null
          if (item !== null) addItem(item, line, at)
        }
      }
    },
  }
}

/** The first versions wrote items without a wrapper, below a line with the session's id. */
function unwrap(value: Fields): { readonly type: unknown; readonly payload: Fields } {
  if (isRecord(value['payload'])) return { type: value['type'], payload: value['payload'] }
  return { type: typeof value['type'] === 'string' ? 'response_item' : 'session_meta', payload: value }
}

/** OpenAI's models keep their name behind a proxy, so that their price is found. */
function modelOf(model: unknown, provider: unknown): string | undefined {
  const isOpenAi = /^(?:gpt-|o\d|codex-)/.test(textOf(model))
  return readModelId(isOpenAi ? 'openai' : (readString(provider) ?? 'openai'), model)
}

function startOfTurns(said: readonly Said[], turns: number): number {
  let left = turns
  for (let index = said.length - 1; index >= 0 && left > 0; index -= 1) {
    const each = said[index]
    if (each?.type === 'message' && each.by === 'user') left -= 1
    if (left === 0) return index
  }
  return turns > 0 ? 0 : said.length
}

/** Newer models write scripts that run commands: the command is told in an event, while the script runs. */
function nameCommand(last: Said | undefined, item: Fields): void {
  if (item['type'] !== 'CommandExecution' || last?.type !== 'message' || last.by !== 'assistant') return
  const index = last.parts.findLastIndex((part) => part.type === 'tool-call')
  const call = last.parts[index]
  const { command } = item
  if (call?.type !== 'tool-call' || call.input['input'] === undefined || !Array.isArray(command)) return
  const before = typeof call.input['command'] === 'string' ? `${call.input['command']}\n` : ''
  const ran = textOf(/^-\w*c$/.test(String(command[1])) ? command[2] : command.join(' '))
  last.parts[index] = { ...call, input: { ...call.input, command: before + ran } }
}

/** Newer versions keep the summary as an answer as well, which nobody got to see. */
function takeSummary(said: Said[], summary: string): SaidMessage | undefined {
  const last = said.at(-1)
  if (last?.type !== 'message' || last.by !== 'assistant') return undefined
  const text = textOfSaid(last)
  if (text === '' || !summary.includes(text)) return undefined
  said.pop()
  return last
}

/** The list that takes the place of all that was said. Newer versions point at items that stand above. */
function readHistory(payload: Fields): readonly Fields[] {
  const { replacement_history: history, replacement_history_entries: entries } = payload
  if (Array.isArray(history)) return history.filter(isRecord)
  if (!Array.isArray(entries)) return []
  return entries
    .filter(isRecord)
    .map((entry) => (isRecord(entry['item']) ? entry['item'] : { type: 'reference', id: entry['item_id'] }))
}

interface Kept {
  readonly kept: readonly SaidMessage[]
  readonly putBack: readonly string[]
}

/** What goes on word for word is found again by its id, or by its words. A message that was cut is told by what is left of it. */
function findKept(history: readonly Fields[], said: readonly Said[], summary: string): Kept {
  const messages = said.filter((each) => each.type === 'message')
  const byId = new Map(messages.flatMap((message) => [...message.itemIds].map((id) => [id, message] as const)))
  const byText = new Map(messages.filter(({ by }) => by === 'user').map((message) => [textOfSaid(message), message]))
  const kept = new Set<SaidMessage>()
  const putBack: string[] = []
  for (const value of history) {
    const item = readCodexItem(value, new Map())
    const text = item === null ? '' : item.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const found = byId.get(textOf(value['id'])) ?? (item?.by === 'user' ? byText.get(text) : undefined)
    if (found !== undefined) kept.add(found)
    else if (text !== '' && text !== summary) putBack.push(text)
  }
  return { kept: messages.filter((message) => kept.has(message)), putBack }
}
