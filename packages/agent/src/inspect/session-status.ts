import { forecastTurns, resolveWindow } from '@longhaul/engine'
import type { Clamp, EffectiveWindow, Item } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'
import { readGauge } from '../session/active-session.ts'

/** A session on one card. */
export interface SessionStatus {
  readonly id: string
  readonly title: string | null
  readonly model: string
  readonly preset: string | null
  readonly tokens: {
    readonly context: number | null
    readonly window: number | null
    readonly percent: number | null
    readonly source: 'reported' | 'estimated' | 'unknown'
    readonly threshold: number | null
    readonly input: number
    readonly output: number
  }
  readonly windowSource: EffectiveWindow['source']
  /** What an endpoint named as its limit; it can be cleared. */
  readonly learntWindow: number | null
  readonly costUsd: number
  readonly messageCount: number
  readonly compactionCount: number
  readonly compactionFailures: number
  readonly pins: number
  /** About how many turns until the next compaction; null: nobody can tell yet. */
  readonly turnsLeft: number | null
  /** Numbers of the preset that this window cannot hold. */
  readonly clamps: readonly Clamp[]
}

export function describeStatus(session: ActiveSession, title: string | null): SessionStatus {
  const { head } = session.log.state()
  const { tokens, percent, source } = readGauge(session)
  const limits = session.limits()
  const learnt = session.learning.windowTokens()
  const window = resolveWindow({ ...session.agent.models.windowOf(session.model()), learnt }, session.policy())
  const threshold = limits?.triggerTokens ?? null
  return {
    id: session.id,
    title: head.settings.title ?? title,
    model: session.model(),
    preset: head.settings.preset ?? null,
    tokens: {
      context: tokens,
      window: limits?.windowTokens ?? null,
      percent,
      source,
      threshold,
      input: head.totals.inputTokens,
      output: head.totals.outputTokens,
    },
    windowSource: window.source,
    learntWindow: learnt,
    costUsd: head.totals.costUsd,
    messageCount: head.totals.messages,
    compactionCount: head.compactionCount,
    compactionFailures: head.compactionFailures,
    pins: head.pins.length,
    turnsLeft:
      tokens === null || threshold === null
        ? null
        : forecastTurns({ growth: measureGrowth(session), usedTokens: tokens, thresholdTokens: threshold }),
    clamps: limits?.clamps ?? [],
  }
}

/** By the bills of the answers that ended each turn: what each turn added to the request. */
function measureGrowth(session: ActiveSession): readonly number[] {
  const { window } = session.log.state()
  const items: readonly Item[] = window.backing.slice(window.start, window.end)
  const sizes = items.flatMap(({ entry }, index) => {
    const isEnd = entry.role === 'assistant' && items[index + 1]?.message.role !== 'tool'
    return isEnd && entry.usage !== undefined ? [entry.usage.input + entry.usage.output] : []
  })
  return sizes.slice(1).map((size, index) => size - (sizes[index] ?? size))
}
