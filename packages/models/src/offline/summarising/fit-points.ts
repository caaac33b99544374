import { estimateField } from '@longhaul/engine/advanced'
import { termsOf } from '../reading/terms.ts'
import type { Point } from './collect-points.ts'
import { dropOutdated } from './drop-outdated.ts'

/** What a line costs beside its words. */
const LINE_TOKENS = 4
/** Points that share this much of their words say the same. */
const SAME_SHARE = 0.8

/** The points worth most that fit the budget, without repeats, in the order they were said. The best one always stays. */
export function fitPoints(
  points: readonly Point[],
  budgetTokens: number,
  said: readonly string[] = [],
): readonly Point[] {
  const told = said.map((text) => new Set(termsOf(text)))
  const kept: Point[] = []
  let tokens = 0
  for (const point of dropOutdated(points).toSorted((a, b) => b.score - a.score || b.order - a.order)) {
    const terms = new Set(termsOf(point.text))
    if (terms.size === 0 || told.some((other) => saysTheSame(terms, other))) continue
    const cost = estimateField(point.text, 'classes') + LINE_TOKENS
    if (kept.length > 0 && tokens + cost > budgetTokens) continue
    tokens += cost
    told.push(terms)
    kept.push(point)
  }
  return kept.toSorted((a, b) => a.order - b.order)
}

function saysTheSame(terms: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return terms.intersection(other).size >= Math.max(1, terms.size * SAME_SHARE)
}
