import type { ContextReport } from '@longhaul/protocol'
import { LAYER_IDS, layerOf } from './layers.ts'
import type { AnyLayerId } from './layers.ts'

export interface DrawnLayer {
  readonly id: AnyLayerId
  readonly tokens: number
  /** Of the whole bar, 0 to 1. */
  readonly share: number
  readonly itemCount: number
}

export interface LayerPlan {
  readonly layers: readonly DrawnLayer[]
  /** What the bar stands for: the window; where that is unknown or too small, what is in it. */
  readonly wholeTokens: number
  /** Where a compaction starts, 0 to 1; null: unknown, or outside the bar. */
  readonly mark: number | null
  /** What does not fit; 0: all does. */
  readonly overTokens: number
}

/**
 * Single items are estimates, the total may be the provider's own count: the layers are stretched to that total, so
 * that bar, gauge and trigger show the same number.
 */
export function planLayers({ items: all, used, window, threshold }: ContextReport): LayerPlan {
  const items = all.filter(({ state }) => state !== 'left-out')
  const estimated = items.reduce((sum, { tokens }) => sum + tokens, 0)
  const usedTokens = used ?? estimated
  const ratio = estimated === 0 ? 1 : usedTokens / estimated
  const wholeTokens = Math.max(window ?? usedTokens, usedTokens, 1)
  const draw = (id: AnyLayerId, tokens: number, itemCount = 0): DrawnLayer => ({
    id,
    tokens,
    share: tokens / wholeTokens,
    itemCount,
  })
  const filled = LAYER_IDS.map((id) => {
    const own = items.filter(({ kind }) => layerOf(kind) === id)
    return draw(id, own.reduce((sum, { tokens }) => sum + tokens, 0) * ratio, own.length)
  })
  const empty = wholeTokens - usedTokens
  const reserve = threshold === null || window === null ? 0 : Math.min(empty, Math.max(0, window - threshold))
  return {
    layers: [...filled, draw('free', empty - reserve), draw('reserve', reserve)].filter(
      ({ tokens, itemCount }) => tokens > 0 || itemCount > 0,
    ),
    wholeTokens,
    mark: threshold === null || threshold > wholeTokens ? null : threshold / wholeTokens,
    overTokens: window === null ? 0 : Math.max(0, usedTokens - window),
  }
}
