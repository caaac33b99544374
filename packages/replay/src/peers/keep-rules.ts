import { estimateMessage, findCutPoints } from '@longhaul/engine/advanced'
import type { RequestItem } from '../carriers/carrier.ts'
import type { Clearing, Kept } from './peer.ts'

/** Characters divided by four: what most programs count by. */
export function roughTokens({ message }: Pick<RequestItem, 'message'>): number {
  return estimateMessage(message, 'plain')
}

/** Everything from a place on, moved to where no tool call is parted from its result. */
export function keepFrom(items: readonly RequestItem[], place: number, side: 'more' | 'less'): Kept {
  const cuts = findCutPoints(items.map(({ message }) => message))
  const start = side === 'more' ? cuts.atOrBefore(place) : cuts.atOrAfter(place)
  return { after: items.slice(start).filter(isSaid) }
}

/** The place from which on all items together are within the budget. */
export function findTail(
  items: readonly RequestItem[],
  budgetTokens: number,
  tokensOf: (item: RequestItem) => number,
): number {
  let tokens = 0
  let place = items.length
  while (place > 0) {
    const item = items[place - 1]
    tokens += item === undefined ? 0 : tokensOf(item)
    if (tokens > budgetTokens) break
    place -= 1
  }
  return place
}

/** All results of tools but the newest, where they are longer than the placeholder. */
export function clearAllBut(
  items: readonly RequestItem[],
  { keepLast, reason, placeholder }: { keepLast: number; reason: string; placeholder: string },
): Clearing | null {
  const results = items.filter(({ kind }) => kind === 'tool')
  const old = results.slice(0, Math.max(0, results.length - keepLast))
  const fresh = old.filter(({ state }) => state !== 'cleared')
  return fresh.length === 0 ? null : { reason, items: new Set(fresh), placeholder }
}

export function isSaid({ index }: RequestItem): boolean {
  return index !== null
}
