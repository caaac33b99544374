import type { ContextItem, ContextReport } from '@longhaul/protocol'

/**
 * Single items are estimates, the total may be the provider's own count: the items are stretched to that total, so that
 * list, layers, gauge and trigger show the same number.
 */
export function scaleItems({ items, used }: Pick<ContextReport, 'items' | 'used'>): readonly ContextItem[] {
  const estimated = items.reduce((sum, { state, tokens }) => sum + (state === 'left-out' ? 0 : tokens), 0)
  if (used === null || estimated === 0) return items
  return items.map((item) => ({ ...item, tokens: Math.round((item.tokens * used) / estimated) }))
}
