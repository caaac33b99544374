import { resolveLimits } from '../../packages/engine/src/policy/limits.ts'
import type { Clamp } from '../../packages/engine/src/policy/limits.ts'
import type { ContextPolicy } from '../../packages/engine/src/policy/policy.ts'
import { PRESETS } from '../../packages/engine/src/policy/presets.ts'
import { formatCount, renderTable } from './markdown-table.ts'

const WINDOWS = [16_000, 32_000, 128_000, 200_000, 1_000_000]
/** More than is ever kept free for an answer, so that the tables hold for every model with long answers. */
const MAX_OUTPUT_TOKENS = 32_000

const COLUMNS = [
  'window',
  'free for the answer',
  'a request at most',
  'flush above',
  'prepare above',
  'compact above',
  'kept verbatim',
  'clamped',
]

/** What each preset's digits come to at five windows. */
export function renderThresholds(): string {
  return Object.entries(PRESETS)
    .map(([name, policy]) => `**\`${name}\`**\n\n${renderTable(COLUMNS, createRows(policy))}`)
    .join('\n\n')
}

function createRows(policy: ContextPolicy): readonly (readonly string[])[] {
  return WINDOWS.flatMap((windowTokens) => {
    const limits = resolveLimits(policy, { windowTokens, maxOutputTokens: MAX_OUTPUT_TOKENS })
    if (limits === null) return []
    const { outputTokens, inputTokens, flushTokens, prepareTokens, triggerTokens, keepTokens, clamps } = limits
    const flushFrom = policy.compaction.memoryFlush.enabled ? flushTokens : null
    const numbers = [windowTokens, outputTokens, inputTokens, flushFrom, prepareTokens, triggerTokens]
    const cells = numbers.map((tokens) => (tokens === null ? '–' : formatCount(tokens)))
    return [[...cells, describeKept(policy, keepTokens), clamps.map(describeClamp).join('; ') || 'nothing']]
  })
}

function describeKept({ compaction }: ContextPolicy, keepTokens: number): string {
  const { keepMessages, keepTurns } = compaction
  const rule = keepMessages === null ? (keepTurns === null ? '' : `${keepTurns} turns`) : `${keepMessages} messages`
  return rule === '' ? formatCount(keepTokens) : `${rule}, up to ${formatCount(keepTokens)}`
}

function describeClamp({ key, from, to }: Clamp): string {
  return `\`${key}\` ${formatCount(from)} → ${formatCount(to)}`
}
