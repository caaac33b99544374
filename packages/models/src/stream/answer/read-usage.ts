import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { isRecord } from '@longhaul/engine/advanced'
import type { Usage } from '@longhaul/engine/advanced'

/** The bill of one call; null where the endpoint sent none. */
export function readUsage(
  reported: LanguageModelV4Usage,
  metadata: SharedV4ProviderMetadata | undefined,
): Usage | null {
  const { inputTokens, outputTokens } = reported
  const last = readLastIteration(metadata)
  return createUsage({
    input: last?.input ?? inputTokens.total ?? sum(inputTokens.noCache, inputTokens.cacheRead, inputTokens.cacheWrite),
    output: last?.output ?? outputTokens.total ?? sum(outputTokens.text, outputTokens.reasoning),
    cacheRead: last?.cacheRead ?? inputTokens.cacheRead,
    cacheWrite: last?.cacheWrite ?? inputTokens.cacheWrite,
    reasoning: outputTokens.reasoning,
  })
}

/**
 * Anthropic tells what the input costs before it answers, in a part of its own (`anthropic.message_start`). It is the
 * bill of an answer that was broken off; a finished one has its own.
 */
export function readEarlyUsage(metadata: SharedV4ProviderMetadata | undefined): Usage | null {
  const usage = metadata?.['anthropic']?.['usage']
  if (!isRecord(usage)) return null
  const cacheRead = readCount(usage['cache_read_input_tokens'])
  const cacheWrite = readCount(usage['cache_creation_input_tokens'])
  return createUsage({
    input: sum(readCount(usage['input_tokens']), cacheRead, cacheWrite),
    output: readCount(usage['output_tokens']),
    cacheRead,
    cacheWrite,
  })
}

interface Counts {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly reasoning?: number | undefined
}

/** Nothing goes in without tokens: endpoints that report only zeros report nothing. */
function createUsage(counts: Counts): Usage | null {
  const input = readCount(counts.input) ?? 0
  const output = readCount(counts.output) ?? 0
  if (input === 0 && output === 0) return null
  return {
    input,
    output,
    ...optional('cacheRead', counts.cacheRead),
    ...optional('cacheWrite', counts.cacheWrite),
    ...optional('reasoning', counts.reasoning),
  }
}

/**
 * Where Anthropic compacted on its side, the total counts the compaction as well. What the context holds is what the
 * last `message` iteration says.
 */
function readLastIteration(metadata: SharedV4ProviderMetadata | undefined): Counts | null {
  const iterations = metadata?.['anthropic']?.['iterations']
  if (!Array.isArray(iterations)) return null
  const records = iterations.filter(isRecord)
  const last = records.findLast(({ type }) => type === 'message')
  if (last === undefined || !records.some(({ type }) => type === 'compaction')) return null
  const cacheRead = readCount(last['cacheReadInputTokens']) ?? 0
  const cacheWrite = readCount(last['cacheCreationInputTokens']) ?? 0
  return {
    input: sum(readCount(last['inputTokens']), cacheRead, cacheWrite),
    output: readCount(last['outputTokens']),
    cacheRead,
    cacheWrite,
  }
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0)
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function optional<K extends keyof Usage>(key: K, value: number | undefined): { readonly [key in K]?: number } {
  const count = readCount(value)
  return count === undefined ? {} : ({ [key]: count } as { readonly [key in K]?: number })
}
