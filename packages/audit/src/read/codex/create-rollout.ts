import { isRecord, textOf } from '@longhaul/engine/advanced'
import { readCount, readModelId, readString, readTime, recordAt } from '@longhaul/store/jsonl'
import type { Fields, Line } from '@longhaul/store/jsonl'
import { readCodexItem } from './read-codex-item.ts'
import type { CodexItem } from './read-codex-item.ts'
import { findKept, takeSummary } from './find-kept.ts'
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

  function takeReading({ usage, estimate }: MeterReading): void {
    const last = said.at(-1)
    if (estimate !== undefined && last?.type === 'compaction') last.tokensAfter ??= estimate
    if (usage === undefined) return
    const answer = lastAnswer(said)
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
      ...findKept(payload, said, summary),
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
          if (item !== null) addItem(said, item, { line, at, model })
        }
      }
    },
  }
}

/** One answer takes several lines, an item each, and then its bill. */
function addItem(said: Said[], item: CodexItem, place: Pick<SaidMessage, 'line' | 'at' | 'model'>): void {
  const last = said.at(-1)
  if (item.by === 'assistant' && last?.type === 'message' && last.by === 'assistant' && last.usage === undefined) {
    last.parts.push(...item.parts)
    if (item.id !== undefined) last.itemIds.add(item.id)
  } else if (item.parts.length > 0) {
    const itemIds = new Set(item.id === undefined ? [] : [item.id])
    said.push({ type: 'message', ...place, ...item, parts: [...item.parts], itemIds })
  }
}

function lastAnswer(said: readonly Said[]): SaidMessage | undefined {
  const last = said.findLast((each) => each.type === 'compaction' || each.by !== 'tool')
  return last?.type === 'message' && last.by === 'assistant' ? last : undefined
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
