import { isRecord } from '@longhaul/engine/advanced'
import type { Part, ToolOutput, Usage } from '@longhaul/engine/advanced'

/** Milliseconds of a number or an ISO string; 0 where there is no time in it. */
export function readTime(value: unknown): number {
  const ms = typeof value === 'string' ? Date.parse(value) : value
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? ms : 0
}

export function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

export interface BilledTokens {
  /** What was sent and neither read from nor written to a cache. */
  readonly uncached: unknown
  readonly output: unknown
  readonly cacheRead: unknown
  readonly cacheWrite: unknown
  readonly costUsd: unknown
}

/** No usage where nothing was billed: peers write zeros for a call that failed, and a zero would teach the meter wrongly. */
export function readBilledTokens(billed: BilledTokens): Usage | undefined {
  const cacheRead = readCount(billed.cacheRead)
  const cacheWrite = readCount(billed.cacheWrite)
  const costUsd = readCount(billed.costUsd)
  const input = (readCount(billed.uncached) ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
  const output = readCount(billed.output) ?? 0
  if (input === 0 && output === 0) return undefined
  return {
    input,
    output,
    ...optional('cacheRead', cacheRead),
    ...optional('cacheWrite', cacheWrite),
    ...optional('costUsd', costUsd),
  }
}

/** `provider/model`; a model that names its provider already is left as it is. */
export function readModelId(provider: unknown, model: unknown): string | undefined {
  const name = readString(model)
  if (name === undefined) return undefined
  const owner = readString(provider)
  if (owner === undefined) return name.includes('/') ? name : undefined
  return name.startsWith(`${owner}/`) ? name : `${owner}/${name}`
}

/** A result of one text is that text; anything else stays a list of parts. */
export function outputOf(parts: readonly Part[]): ToolOutput {
  const [first, ...others] = parts
  if (first === undefined) return ''
  if (first.type === 'text' && others.length === 0) return first.text
  return parts.flatMap((part) => (part.type === 'text' || part.type === 'image' || part.type === 'file' ? [part] : []))
}

/** The names of tools by call, for results that do not repeat them. */
export function toolNames(parts: readonly Part[], into: Map<string, string>): void {
  for (const part of parts) if (part.type === 'tool-call') into.set(part.toolCallId, part.toolName)
}

export function recordAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const child = isRecord(value) ? value[key] : undefined
  return isRecord(child) ? child : {}
}

/** A field that is there only where it has a value. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]?: V })
}
