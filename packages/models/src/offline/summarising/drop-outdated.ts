import { replaces, saysChanged } from '../reading/corrects.ts'
import { termsOf } from '../reading/terms.ts'
import type { Point } from './collect-points.ts'

/** Without the points that a later one takes back: "The port is 8080." beside "The port is now 9090." would be two truths. */
export function dropOutdated(points: readonly Point[]): readonly Point[] {
  const changes = points.filter(({ text }) => saysChanged(text)).map(withTerms)
  if (changes.length === 0) return points
  return points.filter((point) => {
    const earlier = withTerms(point)
    return !changes.some((later) => later.order > earlier.order && replaces(later, earlier))
  })
}

function withTerms(point: Point): Point & { readonly terms: readonly string[] } {
  return { ...point, terms: termsOf(point.text) }
}
