import { hasToolCall } from '../messages/tool-pairs.ts'
import type { MessageEntry } from '../transcript/entry.ts'
import { hasBill } from './trace-prefix.ts'

/**
 * By how many tokens each turn made the context larger, newest last, by the bills of its steps. What a compaction or a
 * prune took away in between does not count: the next turns will be as large all the same. The first turn may have begun
 * before these messages, and the last one may still run: neither is told.
 */
export function measureGrowth(entries: readonly MessageEntry[], model: string | null): readonly number[] {
  const turns: { growth: number; hasBill: boolean }[] = []
  let lastInput: number | null = null
  for (const entry of entries) {
    if (entry.role === 'user') turns.push({ growth: 0, hasBill: false })
    const turn = turns.at(-1)
    if (entry.usage === undefined || !hasBill(entry, model)) continue
    if (turn !== undefined) {
      turn.growth += Math.max(0, entry.usage.input - (lastInput ?? entry.usage.input))
      turn.hasBill = true
    }
    lastInput = entry.usage.input
  }
  const last = entries.at(-1)
  const isRunning = last?.role !== 'assistant' || hasToolCall(last)
  const billed = turns.slice(0, isRunning ? -1 : undefined).filter((turn) => turn.hasBill)
  return billed.slice(1).map((turn) => turn.growth)
}
