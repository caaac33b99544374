import { forecastTurns, guardWindow, measureGrowth, readGauge } from '@longhaul/engine/advanced'
import type { Clamp, EffectiveWindow } from '@longhaul/engine/advanced'
import { costOfTotals } from './cost-of-totals.ts'
import type { SessionView, WaitingWish } from '../session/session-view.ts'
import { describeLeftOut } from '../session/session-tools.ts'
import { describeLowered } from '../session/wider-wish.ts'

/** A session on one card. */
export interface SessionStatus {
  readonly id: string
  readonly title: string | null
  /** The program that keeps the conversation; null: Longhaul does. */
  readonly origin: string | null
  /** Wishes that wait for the next call of that program. */
  readonly waiting: readonly WaitingWish[]
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
  /** null: nobody knows what its calls cost. */
  readonly costUsd: number | null
  /** Calls whose price nobody knows: the cost is what the others were. */
  readonly unpricedCalls: number
  readonly messageCount: number
  readonly compactionCount: number
  readonly compactionFailures: number
  readonly pins: number
  /** After an undo: nothing is compacted by itself until the window is full. */
  readonly isExempt: boolean
  /** About how many turns until the next compaction; null: nobody can tell yet. */
  readonly turnsLeft: number | null
  /** Numbers of the preset that this window cannot hold. */
  readonly clamps: readonly Clamp[]
  /** Whole sentences for the user, such as that the window is too small for long conversations. */
  readonly warnings: readonly string[]
}

export function describeStatus({
  id,
  title,
  origin,
  waiting,
  model,
  settings,
  context,
  ...view
}: SessionView): SessionStatus {
  const { limits } = context
  const { head, window } = context.state
  const inView = window.backing.slice(window.start, window.end)
  const { tokens, percent, source } = readGauge(context)
  const threshold = limits?.triggerTokens ?? null
  return {
    id,
    title,
    origin,
    waiting,
    model,
    preset: settings.preset,
    tokens: {
      context: tokens,
      window: limits?.windowTokens ?? null,
      percent,
      source,
      threshold,
      input: head.totals.inputTokens,
      output: head.totals.outputTokens,
    },
    windowSource: view.window.source,
    learntWindow: view.learntWindow,
    costUsd: costOfTotals(head.totals),
    unpricedCalls: head.totals.unpricedCalls,
    messageCount: head.totals.messages,
    compactionCount: head.compactionCount,
    compactionFailures: head.compactionFailures,
    pins: head.pins.length,
    isExempt: head.isExempt,
    turnsLeft:
      tokens === null || threshold === null
        ? null
        : forecastTurns({
            growth: measureGrowth(
              inView.map(({ entry }) => entry),
              model,
            ),
            usedTokens: tokens,
            thresholdTokens: threshold,
          }),
    clamps: limits?.clamps ?? [],
    warnings: listWarnings({ ...view, context }),
  }
}

type Doubts = Pick<SessionView, 'window' | 'context' | 'lowered' | 'leftOutTools'>

/** A session that exists is warned of a small window, never refused; and told what it does not get. */
function listWarnings({ window, context, lowered, leftOutTools }: Doubts): readonly string[] {
  const { message } = guardWindow(window, context.policy)
  return [...(message === null ? [] : [message]), ...lowered.map(describeLowered), ...leftOutTools.map(describeLeftOut)]
}
