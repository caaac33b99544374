import type { ContextItem, ContextReport } from '@longhaul/protocol'
import { LAYER_IDS, layerOf } from './layers.ts'
import type { AnyLayerId } from './layers.ts'

export interface DrawnLayer {
  readonly id: AnyLayerId
  readonly tokens: number
  /** Of the whole bar, 0 to 1. */
  readonly share: number
}

export interface LayerPlan {
  readonly layers: readonly DrawnLayer[]
  /** Where a compaction starts, 0 to 1; null: unknown, or outside the bar. */
  readonly mark: number | null
  /** What does not fit; 0: all does. */
  readonly overTokens: number
}

/** The bar stands for the window; where that is unknown or too small, for what is in it. */
export function planLayers(
  items: readonly ContextItem[],
  { window, threshold }: Pick<ContextReport, 'window' | 'threshold'>,
): LayerPlan {
  const sent = items.filter(({ state }) => state !== 'left-out')
  const filled = LAYER_IDS.map((id) => ({ id, tokens: sumTokens(sent.filter(({ kind }) => layerOf(kind) === id)) }))
  const usedTokens = sumTokens(sent)
  const wholeTokens = Math.max(window ?? usedTokens, usedTokens, 1)
  const emptyTokens = wholeTokens - usedTokens
  const reserve = threshold === null || window === null ? 0 : Math.min(emptyTokens, Math.max(0, window - threshold))
  const layers: readonly Omit<DrawnLayer, 'share'>[] = [
    ...filled,
    { id: 'free', tokens: emptyTokens - reserve },
    { id: 'reserve', tokens: reserve },
  ]
  return {
    layers: layers.filter(({ tokens }) => tokens > 0).map((layer) => ({ ...layer, share: layer.tokens / wholeTokens })),
    mark: threshold === null || threshold > wholeTokens ? null : threshold / wholeTokens,
    overTokens: window === null ? 0 : Math.max(0, usedTokens - window),
  }
}

function sumTokens(items: readonly ContextItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}
