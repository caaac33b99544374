import type { Usage } from '@longhaul/engine/advanced'
import { readBilledTokens, readCount, recordAt } from '@longhaul/store/jsonl'
import type { Fields } from '@longhaul/store/jsonl'

export interface MeterReading {
  /** The tokens of a model call; undefined if an earlier line already reported the call. */
  readonly usage: Usage | undefined
  /** The size of the context in tokens as Codex guessed it, if the line reports no model call. */
  readonly estimate: number | undefined
}

/** Codex tells one call's tokens several times: in a record of its own, and in a running count. */
export interface TokenMeter {
  readRecord(payload: Fields): MeterReading
  readCounter(info: Fields): MeterReading
  /** The context before the latest call. */
  contextBefore(): number | undefined
  context(): number | undefined
}

export function createTokenMeter(): TokenMeter {
  let billed: number | undefined
  let context: number | undefined
  let before: number | undefined

  function read(tokens: Fields, total: unknown): MeterReading {
    const sum = readCount(recordAt({ total }, 'total')['total_tokens'])
    const held = readCount(tokens['total_tokens'])
    const usage = toUsage(tokens)
    if (usage === undefined) return { usage, estimate: held }
    if (sum !== undefined && sum === billed) return { usage: undefined, estimate: undefined }
    billed = sum
    before = context
    context = held ?? usage.input + usage.output
    return { usage, estimate: undefined }
  }

  return {
    readRecord: (payload) => read(recordAt(payload, 'usage'), payload['thread_token_usage']),
    readCounter: (info) => read(recordAt(info, 'last_token_usage'), info['total_token_usage']),
    contextBefore: () => before,
    context: () => context,
  }
}

/** Input counts what was read from and written to a cache as well. */
function toUsage(tokens: Fields): Usage | undefined {
  const cacheRead = readCount(tokens['cached_input_tokens'])
  const cacheWrite = readCount(tokens['cache_write_input_tokens'])
  const input = readCount(tokens['input_tokens']) ?? 0
  return readBilledTokens({
    uncached: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output: tokens['output_tokens'],
    cacheRead,
    cacheWrite,
    costUsd: undefined,
  })
}
